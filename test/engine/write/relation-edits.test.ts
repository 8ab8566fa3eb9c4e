import { expect } from 'chai'
import type { MorphAttribute, RelationAttribute } from '../../../engine/schema/attribute.js'
import type { FindTarget } from '../../../engine/write/body/targets.js'
import { editTypedReferences } from '../../../engine/write/change/morph-edit.js'
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

/** Documents `a1` to `f6`, by their documentIds and record ids, of each type. */
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

/** What a relation holds afterwards: documentIds with their places in the inverse list. */
function after(payload: unknown, there = before('a1', 'b2', 'c3'), name: 'tags' | 'tag' = 'tags') {
  const attribute = attributeOf(registry, name) as RelationAttribute
  const references = editReferences(attribute, payload, there, find, connectedAt, [name])
  return references.map(({ documentId, order }) => `${documentId} ${order}`)
}

const at = (documentId: string, position: object) => ({ documentId, position })

describe('A relation to many', () => {
  it('holds what it is set to, each once, in the places of those that stay', () => {
    expect(after(['c3', 'd4', 'a1', 'c3'])).to.deep.equal(['c3 3', 'd4 100', 'a1 1'])
    expect(after({ set: ['b2'] })).to.deep.equal(['b2 2'])
    expect(after([])).to.deep.equal([])
    expect(after(null)).to.deep.equal([])
    expect(after([1, '2', { id: 4 }])).to.deep.equal(['a1 1', 'b2 2', 'd4 100'])
  })

  it('loses what is disconnected, then gets what is connected, at the end', () => {
    expect(after({ disconnect: ['a1', 'f6'] })).to.deep.equal(['b2 2', 'c3 3'])
    expect(after({ connect: ['d4', 'a1'] })).to.deep.equal(['b2 2', 'c3 3', 'd4 100', 'a1 1'])
    expect(after({ connect: ['a1'], disconnect: ['a1'] })).to.deep.equal(['b2 2', 'c3 3', 'a1 1'])
    expect(after({})).to.deep.equal(['a1 1', 'b2 2', 'c3 3'])
  })

  it('passes over what is not there', () => {
    expect(after(['x', 'a1'])).to.deep.equal(['a1 1'])
    expect(after({ connect: ['x', 'd4'], disconnect: ['y'] })).to.deep.equal([
      ...['a1 1', 'b2 2', 'c3 3', 'd4 100'],
    ])
  })

  it('stays as it is where the payload is none', () => {
    for (const payload of ['', [true], { connect: [{}] }])
      expect(after(payload)).to.deep.equal(['a1 1', 'b2 2', 'c3 3'])
  })

  it('takes the places that are asked for', () => {
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

  it('refuses places beside what is not connected, and circles', () => {
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

  it('puts them at the end where the places need not be kept', () => {
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

describe('A relation to one', () => {
  const one = (payload: unknown, there = before('a1')) => after(payload, there, 'tag')

  it('holds the last of what it is set to, and of what is connected', () => {
    expect(one('b2')).to.deep.equal(['b2 100'])
    expect(one(['b2', 'c3'])).to.deep.equal(['c3 100'])
    expect(one({ connect: ['b2', 'c3'] })).to.deep.equal(['c3 100'])
    expect(one(null)).to.deep.equal([])
  })

  it('keeps what was there where that is connected again', () => {
    expect(one({ connect: ['a1', 'b2'] })).to.deep.equal(['a1 1'])
    expect(one({ connect: ['b2', 'a1'], disconnect: ['a1'] })).to.deep.equal(['a1 1'])
    expect(one({ connect: ['b2'] }, [])).to.deep.equal(['b2 100'])
  })

  it('is empty when that is disconnected which is there, and nothing else', () => {
    expect(one({ disconnect: ['a1'] })).to.deep.equal([])
    expect(one({ disconnect: ['b2'] })).to.deep.equal(['a1 1'])
    expect(one({ disconnect: ['a1'], connect: ['b2'] })).to.deep.equal(['b2 100'])
  })
})

describe('A polymorphic relation', () => {
  const to = (__type: string, documentId: string, more: object = {}) => ({
    ...{ __type, documentId },
    ...more,
  })
  const there: readonly TypedReference[] = [
    to(uid, 'a1', { order: 1 }),
    to(other, 'a1', { order: 2 }),
  ].map((reference) => reference as TypedReference)
  const edited = (payload: unknown, name: 'about' | 'topic' = 'about') => {
    const attribute = attributeOf(registry, name) as MorphAttribute
    return editTypedReferences(attribute, payload, there, find, connectedAt, [name])
  }

  it('knows each target by its type and its documentId', () => {
    expect(edited([to(other, 'a1'), to(uid, 'b2')])).to.deep.equal([
      to(other, 'a1', { order: 2 }),
      to(uid, 'b2', { order: 100 }),
    ])
    expect(edited({ disconnect: [to(uid, 'a1')] })).to.deep.equal([there[1]])
    expect(edited({ connect: [to(uid, 'a1')] })).to.deep.equal([there[1], there[0]])
    expect(edited({ connect: [{ __type: other, id: 3 }] })).to.deep.equal([
      ...there,
      to(other, 'c3', { order: 100 }),
    ])
  })

  it('passes over what is not there', () => {
    expect(edited([to(uid, 'x'), to(uid, 'a1')])).to.deep.equal([there[0]])
  })

  it('takes the places that are asked for, and names the type of one that is not connected', () => {
    const connect = (of: object) => ({
      connect: [to(uid, 'd4', { position: { before: of } })],
    })
    expect(edited(connect(to(other, 'a1')))).to.deep.equal([
      ...[there[0], to(uid, 'd4', { order: 100 }), there[1]],
    ])
    expect(() => edited(connect(to(other, 'b2')))).to.throw(
      `relation with id 4 at position {"before":{"id":2,"__type":"${other}"}}`,
    )
  })

  it('to one holds one', () => {
    expect(edited(to(uid, 'b2'), 'topic')).to.deep.equal([to(uid, 'b2', { order: 100 })])
  })
})
