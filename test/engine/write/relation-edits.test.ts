import { expect } from 'chai'
import type { MorphAttribute, RelationAttribute } from '../../../engine/schema/attribute.js'
import type { FindTarget } from '../../../engine/write/body/targets.js'
import { editReferences } from '../../../engine/write/change/relation-edit.js'
import type { TypedReference } from '../../../engine/values/stored-types.js'
import { attributeOf, contentType, define } from '../schema/define.js'

const relation = (kind: string) => ({
  ...{ type: 'relation', relation: kind, target: 'api::tag.tag' },
})
const registry = define(
  contentType({
    ...{ tag: relation('manyToOne'), tags: relation('manyToMany') },
    about: { type: 'relation', relation: 'morphToMany' },
    topic: { type: 'relation', relation: 'morphToOne' },
  }),
  contentType({ name: { type: 'string' } }, {}, 'tag'),
)
const [uid, other] = ['api::tag.tag', 'api::thing.thing']

/** The documentIds that exist in both types. The digit is the record id. */
const all = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6']
const find: FindTarget = (type, { target }) => {
  expect([uid, other]).to.include(type)
  const documentId =
    'documentId' in target ? target.documentId : all.find((it) => it[1] === String(target.id))
  return documentId !== undefined && all.includes(documentId)
    ? { documentId, id: Number(documentId[1]) }
    : undefined
}

const connectedAt = 100
const before = (...ids: readonly string[]) =>
  ids.map((documentId, at) => ({ documentId, order: at + 1 }))

/** Returns each reference as its documentId and its order in the inverse list. */
function after(
  payload: unknown,
  current = before('a1', 'b2', 'c3'),
  name: 'tags' | 'tag' = 'tags',
) {
  const attribute = attributeOf(registry, name) as RelationAttribute
  const references = editReferences(attribute, payload, current, find, connectedAt, [name])
  return references.map(({ documentId, order }) => `${documentId} ${order}`)
}

/** Returns the references of a polymorphic relation after the edit. */
function typedAfter(payload: unknown, current: readonly TypedReference[], name: 'about' | 'topic') {
  const attribute = attributeOf(registry, name) as MorphAttribute
  return editReferences(attribute, payload, current, find, connectedAt, [name])
}

const at = (documentId: string, position: object) => ({ documentId, position })

describe('relation to many', () => {
  it('replaces the list without duplicates, and keeps the order of targets that remain', () => {
    expect(after(['c3', 'd4', 'a1', 'c3'])).to.deep.equal(['c3 3', 'd4 100', 'a1 1'])
    expect(after({ set: ['b2'] })).to.deep.equal(['b2 2'])
    expect(after([])).to.deep.equal([])
    expect(after(null)).to.deep.equal([])
    expect(after([1, '2', { id: 4 }])).to.deep.equal(['a1 1', 'b2 2', 'd4 100'])
  })

  it('removes disconnected targets, then appends connected ones', () => {
    expect(after({ disconnect: ['a1', 'f6'] })).to.deep.equal(['b2 2', 'c3 3'])
    expect(after({ connect: ['d4', 'a1'] })).to.deep.equal(['b2 2', 'c3 3', 'd4 100', 'a1 1'])
    expect(after({ connect: ['a1'], disconnect: ['a1'] })).to.deep.equal(['b2 2', 'c3 3', 'a1 1'])
    expect(after({})).to.deep.equal(['a1 1', 'b2 2', 'c3 3'])
  })

  it('ignores targets that do not exist', () => {
    expect(after(['x', 'a1'])).to.deep.equal(['a1 1'])
    expect(after({ connect: ['x', 'd4'], disconnect: ['y'] })).to.deep.equal([
      ...['a1 1', 'b2 2', 'c3 3', 'd4 100'],
    ])
  })

  it('stays unchanged if the payload is invalid', () => {
    for (const payload of ['', [true], { connect: [{}] }])
      expect(after(payload)).to.deep.equal(['a1 1', 'b2 2', 'c3 3'])
  })

  it('places targets at the requested positions', () => {
    const ids = (...connect: readonly unknown[]) =>
      after({ connect })
        .map((text) => text.slice(0, 1))
        .join('')
    expect(ids(at('d4', { start: true }))).to.equal('dabc')
    expect(ids(at('a1', { end: true }))).to.equal('bca')
    expect(ids(at('d4', { before: 'b2' }))).to.equal('adbc')
    expect(ids(at('d4', { after: 'b2' }))).to.equal('abdc')
    expect(ids(at('c3', { before: 'a1' }))).to.equal('cab')
    expect(ids(at('d4', { before: 'e5' }), 'e5')).to.equal('abcde')
    expect(ids('e5', at('d4', { after: 'e5' }))).to.equal('abced')
    expect(ids(at('d4', { after: 'e5' }), at('e5', { start: true }))).to.equal('edabc')
  })

  it('rejects positions next to unconnected targets, and positions in a circle', () => {
    const connecting =
      (...connect: readonly unknown[]) =>
      () =>
        after({ connect })
    expect(connecting(at('d4', { before: 'e5' }))).to.throw(
      'There was a problem connecting relation with id 4 at position {"before":5}. ' +
        'The relation with id 5 needs to be connected first.',
    )
    expect(connecting(at('d4', { before: 'e5' }), at('e5', { after: 'd4' }))).to.throw(
      'refer to each other in a circle',
    )
    expect(connecting(at('d4', { after: 'd4' }))).to.throw('refer to each other in a circle')
  })

  it('appends targets with invalid positions if strict is false', () => {
    const options = { strict: false }
    const connect = [at('d4', { before: 'e5' }), at('f6', { before: 'x' })]
    expect(after({ connect, options })).to.deep.equal([
      ...['a1 1', 'b2 2', 'c3 3', 'd4 100', 'f6 100'],
    ])
    const circle = [at('d4', { before: 'e5' }), at('e5', { before: 'd4' })]
    expect(after({ connect: circle, options })).to.have.members([
      ...['a1 1', 'b2 2', 'c3 3', 'd4 100', 'e5 100'],
    ])
  })
})

describe('relation to one', () => {
  const one = (payload: unknown, current = before('a1')) => after(payload, current, 'tag')

  it('keeps only the last target that is set or connected', () => {
    expect(one('b2')).to.deep.equal(['b2 100'])
    expect(one(['b2', 'c3'])).to.deep.equal(['c3 100'])
    expect(one({ set: ['b2', 'c3'] })).to.deep.equal(['c3 100'])
    expect(one({ connect: ['b2', 'c3'] })).to.deep.equal(['c3 100'])
    expect(one({ connect: ['b2', at('c3', { start: true })] })).to.deep.equal(['c3 100'])
    expect(one(['b2', 'a1'])).to.deep.equal(['a1 1'])
    expect(one(null)).to.deep.equal([])
  })

  it('keeps the current target if it is connected again', () => {
    expect(one({ connect: ['a1', 'b2'] })).to.deep.equal(['a1 1'])
    expect(one({ connect: ['b2', 'a1'], disconnect: ['a1'] })).to.deep.equal(['a1 1'])
    expect(one({ connect: ['b2'] }, [])).to.deep.equal(['b2 100'])
  })

  it('becomes empty only if its current target is disconnected', () => {
    expect(one({ disconnect: ['a1'] })).to.deep.equal([])
    expect(one({ disconnect: ['b2'] })).to.deep.equal(['a1 1'])
    expect(one({ disconnect: ['a1'], connect: ['b2'] })).to.deep.equal(['b2 100'])
  })
})

describe('polymorphic relation', () => {
  const to = (__type: string, documentId: string, more: object = {}) => ({
    ...{ __type, documentId },
    ...more,
  })
  const current: readonly TypedReference[] = [
    to(uid, 'a1', { order: 1 }),
    to(other, 'a1', { order: 2 }),
  ].map((reference) => reference as TypedReference)
  const edited = (payload: unknown) => typedAfter(payload, current, 'about')
  const one = (payload: unknown) => typedAfter(payload, current.slice(0, 1), 'topic')

  it('identifies each target by its type and documentId', () => {
    expect(edited([to(other, 'a1'), to(uid, 'b2')])).to.deep.equal([
      to(other, 'a1', { order: 2 }),
      to(uid, 'b2', { order: 100 }),
    ])
    expect(edited({ disconnect: [to(uid, 'a1')] })).to.deep.equal([current[1]])
    expect(edited({ connect: [to(uid, 'a1')] })).to.deep.equal([current[1], current[0]])
    expect(edited({ connect: [{ __type: other, id: 3 }] })).to.deep.equal([
      ...current,
      to(other, 'c3', { order: 100 }),
    ])
  })

  it('ignores targets that do not exist', () => {
    expect(edited([to(uid, 'x'), to(uid, 'a1')])).to.deep.equal([current[0]])
  })

  it('places targets at the requested positions, and names the type of an unconnected neighbour', () => {
    const connect = (of: object) => ({
      connect: [to(uid, 'd4', { position: { before: of } })],
    })
    expect(edited(connect(to(other, 'a1')))).to.deep.equal([
      ...[current[0], to(uid, 'd4', { order: 100 }), current[1]],
    ])
    expect(() => edited(connect(to(other, 'b2')))).to.throw(
      `relation with id 4 at position {"before":{"id":2,"__type":"${other}"}}`,
    )
  })

  it('keeps only the last target of a relation to one, or the current one if it is connected again', () => {
    const [last, again] = [to(other, 'a1'), to(uid, 'a1')]
    expect(one(to(uid, 'b2'))).to.deep.equal([to(uid, 'b2', { order: 100 })])
    expect(one([to(uid, 'b2'), last])).to.deep.equal([{ ...last, order: 100 }])
    expect(one({ connect: [to(uid, 'b2'), last] })).to.deep.equal([{ ...last, order: 100 }])
    expect(one({ connect: [again, last] })).to.deep.equal([current[0]])
    expect(one({ disconnect: [again] })).to.deep.equal([])
    expect(one({ disconnect: [last] })).to.deep.equal([current[0]])
  })
})
