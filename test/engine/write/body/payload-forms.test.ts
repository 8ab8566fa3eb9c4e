import { expect } from 'chai'
import type { Position } from '../../../../engine/write/body/relation-payload.js'
import {
  isOperations,
  itemOf,
  itemsOf,
  readRelation,
  showRelation,
} from '../../../../engine/write/body/relation-payload.js'

const end: Position = { at: 'end' }
const named = (documentId: string) => ({ target: { documentId }, position: end })
const numbered = (id: number) => ({ target: { id }, position: end })
const set = (...items: readonly object[]) => ({ kind: 'set', items })
const edit = (connect: readonly object[], disconnect: readonly object[] = []) => ({
  ...{ kind: 'edit', connect, disconnect },
})
const invalid = { kind: 'invalid' }

describe('readRelation', () => {
  it('reads a list that replaces the relation, in every form', () => {
    for (const value of [null, undefined, true, false, [], [null], { set: null }, { set: [] }])
      expect(readRelation(value)).to.deep.equal(set())
    expect(readRelation('k1')).to.deep.equal(set(named('k1')))
    expect(readRelation(7)).to.deep.equal(set(numbered(7)))
    expect(readRelation('7')).to.deep.equal(set(numbered(7)))
    expect(readRelation(['k1', 7, null])).to.deep.equal(set(named('k1'), numbered(7)))
    expect(readRelation({ set: 'k1', connect: [5] })).to.deep.equal(set(named('k1')))
    expect(readRelation({ documentId: 'k1', id: 7 })).to.deep.equal(set(named('k1')))
    expect(readRelation({ documentId: null, id: '7' })).to.deep.equal(set(numbered(7)))
    expect(readRelation([{ id: 'k1' }])).to.deep.equal(set(named('k1')))
  })

  it('reads connect and disconnect as an edit', () => {
    expect(readRelation({})).to.deep.equal(edit([]))
    expect(readRelation({ connect: 'k1', disconnect: [7, null] })).to.deep.equal(
      edit([named('k1')], [numbered(7)]),
    )
    const lenient = { ...edit([named('k1')]), lenient: true }
    expect(readRelation({ connect: ['k1'], options: { strict: false } })).to.deep.equal(lenient)
    for (const options of [{ strict: true }, {}, null, 'x'])
      expect(readRelation({ connect: ['k1'], options })).to.deep.equal(edit([named('k1')]))
  })

  it('returns invalid if an item names no target', () => {
    const names = ['', 1.5, NaN, [], {}, true, { documentId: '' }, { documentId: 5, id: 1 }]
    for (const value of [...names, { id: true }, { id: '' }, { position: end }]) {
      expect(readRelation([value])).to.deep.equal(invalid)
      expect(readRelation({ set: ['k1', value] })).to.deep.equal(invalid)
      expect(readRelation({ connect: ['k1', value] })).to.deep.equal(invalid)
      expect(readRelation({ disconnect: [value] })).to.deep.equal(invalid)
    }
    expect(readRelation({ connect: [{ id: 1, position: { before: '' } }] })).to.deep.equal(invalid)
  })

  it('reads up to 15 digits as an id, and more as a documentId', () => {
    expect(readRelation('999999999999999')).to.deep.equal(set(numbered(999_999_999_999_999)))
    expect(readRelation('1000000000000000')).to.deep.equal(set(named('1000000000000000')))
    expect(readRelation('7a')).to.deep.equal(set(named('7a')))
    expect(readRelation('a7')).to.deep.equal(set(named('a7')))
    expect(readRelation(2 ** 53)).to.deep.equal(invalid)
  })

  it('reads the type and the locale of a target', () => {
    const item = { documentId: 'k1', __type: 'x', locale: 'fr' }
    expect(readRelation(item)).to.deep.equal(set({ ...named('k1'), type: 'x', locale: 'fr' }))
    expect(readRelation({ ...item, __type: 5, locale: 5 })).to.deep.equal(set(named('k1')))
    expect(readRelation({ __type: 'x', id: 1 })).to.deep.equal(set({ ...numbered(1), type: 'x' }))
  })

  it('reads positions, and uses the end for unknown ones', () => {
    const placed = (position: unknown) => readRelation({ connect: [{ id: 1, position }] })
    const at = (position: unknown) => edit([{ target: { id: 1 }, position }])
    for (const position of [
      ...[undefined, null, 'x', {}, { end: true }, { start: 'x' }, { start: false }],
      { before: null, after: undefined },
    ])
      expect(placed(position)).to.deep.equal(at(end))
    expect(placed({ start: true })).to.deep.equal(at({ at: 'start' }))
    expect(placed({ before: 'k2', after: 'k3' })).to.deep.equal(
      at({ at: 'before', of: { documentId: 'k2' } }),
    )
    expect(placed({ before: null, after: 3 })).to.deep.equal(at({ at: 'after', of: { id: 3 } }))
    expect(placed({ after: { id: 3, __type: 'x' }, __type: 'y' })).to.deep.equal(
      at({ at: 'after', of: { id: 3 }, type: 'x' }),
    )
    expect(placed({ after: 3, __type: 'y' })).to.deep.equal(
      at({ at: 'after', of: { id: 3 }, type: 'y' }),
    )
  })
})

describe('namesIn and itemOf', () => {
  it('list all targets of a payload, including neighbours', () => {
    const placed = { target: { id: 1 }, type: 'x', position: { at: 'before', of: { id: 2 } } }
    const read = readRelation({
      connect: [{ id: 1, __type: 'x', position: { before: 2 } }, 'k1'],
      disconnect: [3],
    })
    expect(itemsOf(read)).to.deep.equal([
      ...[placed, { ...numbered(2), type: 'x' }, named('k1'), numbered(3)],
    ])
    expect(itemsOf(readRelation(['k1', 2]))).to.deep.equal([named('k1'), numbered(2)])
    expect(itemsOf(readRelation(['']))).to.deep.equal([])
  })

  it('give a neighbour the locale of its item, and its type unless it has another', () => {
    const item = { ...named('k1'), locale: 'fr', type: 'x' }
    const of = { id: 2 }
    expect(itemOf({ at: 'after', of }, item)).to.deep.equal({ ...item, target: of })
    expect(itemOf({ at: 'after', of, type: 'y' }, item)).to.deep.equal({
      ...{ ...item, target: of, type: 'y' },
    })
    expect(itemOf({ at: 'after', of }, { ...item, position: { at: 'start' } })).to.deep.equal({
      ...{ ...item, target: of },
    })
  })
})

describe('showRelation and isOperations', () => {
  it('show a payload in its long form', () => {
    expect(showRelation(null)).to.equal(null)
    expect(showRelation(undefined)).to.equal(undefined)
    expect(showRelation('k1')).to.deep.equal({ set: [{ documentId: 'k1' }] })
    expect(showRelation(['k1', 7, '7', null, true])).to.deep.equal({
      set: [{ documentId: 'k1' }, { id: 7 }, { id: '7' }, null, true],
    })
    expect(showRelation({ documentId: 'k1' })).to.deep.equal({ set: [{ documentId: 'k1' }] })
    expect(showRelation({ connect: 'k1', disconnect: null, set: undefined })).to.deep.equal({
      ...{ connect: [{ documentId: 'k1' }], disconnect: null, set: undefined },
    })
  })

  it('treat an object as operations unless it names a target', () => {
    expect([{}, { set: [] }, { foo: 1 }].map(isOperations)).to.deep.equal([true, true, true])
    for (const value of [{ documentId: 1 }, { id: 1 }, { __type: 'x' }, [], null, 'x'])
      expect(isOperations(value)).to.equal(false)
  })
})
