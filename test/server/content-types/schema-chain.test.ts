import { expect } from 'chai'
import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'
import { attributesOf, withPrevious } from '../../../server/content-types/schema-chain.js'

function noteWith(attributes: object): SourcedDefinition {
  const definition = { attributes } as SourcedDefinition['definition']
  return { uid: 'api::note.note', kind: 'content-type', source: 'note.json', definition }
}

const string = { type: 'string' }

describe('withPrevious', () => {
  it('keeps a removed attribute with the field that holds its values', () => {
    const [one] = withPrevious([noteWith({ a: string, b: string })], [noteWith({ b: string })])
    expect(attributesOf(one as SourcedDefinition)).to.deep.equal({
      b: string,
      a: { ...string, storedAs: 'a' },
    })
  })

  it('keeps an attribute once for each field it was stored in', () => {
    const states = [
      { a: string },
      { a: { ...string, storedAs: 'a_2' } },
      { a: { ...string, storedAs: 'a_3' } },
    ]
    const known = states.reduce<readonly SourcedDefinition[]>(
      (previous, attributes) => withPrevious(previous, [noteWith(attributes)]),
      [],
    )
    const fields = Object.values(attributesOf(known[0] as SourcedDefinition)).map(
      ({ storedAs }) => storedAs,
    )
    expect(fields).to.have.members(['a', 'a_2', 'a_3'])
  })

  it('keeps an attribute that is named like a member of every object', () => {
    const [one] = withPrevious([noteWith({ constructor: string })], [noteWith({ b: string })])
    expect(Object.keys(attributesOf(one as SourcedDefinition))).to.deep.equal(['b', 'constructor'])
  })
})
