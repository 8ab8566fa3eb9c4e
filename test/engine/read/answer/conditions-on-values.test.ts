import { expect } from 'chai'
import { Decimal128 } from 'mongodb'
import { evaluate, sortValues } from '../../../../engine/read/answer/evaluate.js'
import type { SortKey } from '../../../../engine/read/plan/read-plan.js'
import type { ResolvedCondition } from '../../../../engine/read/plan/bound-query.js'
import type { Test, Value } from '../../../../engine/values/value-test.js'

const testAt = (test: Test, path = 'a'): ResolvedCondition => ({ kind: 'test', path, test })
const those = (stored: readonly unknown[], test: Test): readonly unknown[] =>
  stored.filter((a) => evaluate(testAt(test), { a }))
const number = (value: number): Value => ({ as: 'number', value })
const text = (value: string): Value => ({ as: 'text', value })
const is = (value: number, path = 'a') => testAt({ op: 'in', values: [number(value)] }, path)

type Match = Extract<Test, { op: 'match' }>
const match = (how: Match['how'], texts: readonly string[], more: Partial<Match> = {}): Match => ({
  ...{ op: 'match', how, insensitive: false, negated: false, texts },
  ...more,
})

describe('filter of component values', () => {
  it('evaluates $and, $or and their negation', () => {
    const of = [is(1), is(2, 'b')]
    expect(evaluate({ kind: 'all', of }, { a: 1, b: 2 })).to.equal(true)
    expect(evaluate({ kind: 'all', of }, { a: 1, b: 3 })).to.equal(false)
    expect(evaluate({ kind: 'any', of }, { a: 1, b: 3 })).to.equal(true)
    expect(evaluate({ kind: 'any', of }, { a: 3, b: 3 })).to.equal(false)
    expect(evaluate({ kind: 'all', of: [] }, {})).to.equal(true)
    expect(evaluate({ kind: 'none', of }, { a: 3, b: 3 })).to.equal(true)
    expect(evaluate({ kind: 'none', of }, { a: 1, b: 3 })).to.equal(false)
    expect(evaluate({ kind: 'none', of }, { a: null })).to.equal(true)
    expect(evaluate({ kind: 'any', of: [] }, {})).to.equal(false)
  })

  it('matches null and missing values with $null only', () => {
    const stored = [null, undefined, 0, '']
    expect(those(stored, { op: 'null' })).to.deep.equal([null, undefined])
    expect(those(stored, { op: 'notNull' })).to.deep.equal([0, ''])
    const one = number(1)
    for (const test of [
      { op: 'notIn', values: [one] },
      { op: 'lt', value: one },
      { op: 'notBetween', values: [one, one] },
      match('contains', ['n'], { negated: true }),
    ] as const) {
      expect(those([null, undefined], test), test.op).to.deep.equal([])
    }
  })

  it('matches one of the values with $in and none of them with $notIn', () => {
    const values = [number(1), number(3)]
    expect(those([1, 2, 3], { op: 'in', values })).to.deep.equal([1, 3])
    expect(those([1, 2, 3], { op: 'notIn', values })).to.deep.equal([2])
  })

  it('compares numbers, decimals, 64-bit integers, dates and texts by their type', () => {
    const stored = [1, 2, 3]
    expect(those(stored, { op: 'lt', value: number(2) })).to.deep.equal([1])
    expect(those(stored, { op: 'lte', value: number(2) })).to.deep.equal([1, 2])
    expect(those(stored, { op: 'gt', value: number(2) })).to.deep.equal([3])
    expect(those(stored, { op: 'gte', value: number(2) })).to.deep.equal([2, 3])
    const decimals = ['9.50', '10'].map((digits) => Decimal128.fromString(digits))
    expect(those(decimals, { op: 'gt', value: { as: 'decimal', value: '9.5' } })).to.deep.equal([
      decimals[1],
    ])
    const longs = [9007199254740992n, 9007199254740993n]
    const long: Value = { as: 'long', value: '9007199254740993' }
    expect(those(longs, { op: 'in', values: [long] })).to.deep.equal([longs[1]])
    const dates = [new Date(1), new Date(2)]
    expect(those(dates, { op: 'lt', value: { as: 'date', value: 2 } })).to.deep.equal([dates[0]])
    expect(those(['9', '10'], { op: 'lt', value: text('9') })).to.deep.equal(['10'])
    const yes: Value = { as: 'boolean', value: true }
    expect(those([true, false], { op: 'in', values: [yes] })).to.deep.equal([true])
  })

  it('includes both bounds of $between, and excludes both from its negation', () => {
    const values = [number(2), number(4)] as const
    expect(those([1, 2, 3, 4, 5], { op: 'between', values })).to.deep.equal([2, 3, 4])
    expect(those([1, 2, 3, 4, 5], { op: 'notBetween', values })).to.deep.equal([1, 5])
  })

  it('matches texts that equal, contain, start with or end with another', () => {
    const stored = ['ab', 'xab', 'abx', 'AB', 'b']
    expect(those(stored, match('equals', ['ab']))).to.deep.equal(['ab'])
    expect(those(stored, match('contains', ['ab']))).to.deep.equal(['ab', 'xab', 'abx'])
    expect(those(stored, match('startsWith', ['ab']))).to.deep.equal(['ab', 'abx'])
    expect(those(stored, match('endsWith', ['ab']))).to.deep.equal(['ab', 'xab'])
    expect(those(stored, match('equals', ['Ab'], { insensitive: true }))).to.deep.equal([
      ...['ab', 'AB'],
    ])
    expect(those(stored, match('contains', ['ab'], { negated: true }))).to.deep.equal(['AB', 'b'])
    expect(those(stored, match('equals', ['ab', 'b']))).to.deep.equal(['ab', 'b'])
    const both = match('contains', ['x', 'ab'], { every: true })
    expect(those(stored, both)).to.deep.equal(['xab', 'abx'])
  })

  it('treats pattern characters, line breaks and surrogates literally', () => {
    expect(those(['a.c', 'abc'], match('equals', ['a.c']))).to.deep.equal(['a.c'])
    expect(those(['a\nb'], match('equals', ['a\nb']))).to.deep.equal(['a\nb'])
    expect(those(['a\nb'], match('startsWith', ['b']))).to.deep.equal([])
    expect(those(['𝒳'], match('contains', ['\ud835']))).to.deep.equal([])
    expect(those(['Ä\n'], match('contains', ['ä'], { insensitive: true }))).to.deep.equal(['Ä\n'])
  })

  it('applies text operators to numbers only if they are numeric', () => {
    expect(those([12, 21], match('startsWith', ['1'], { numeric: true }))).to.deep.equal([12])
    expect(those([12], match('startsWith', ['1']))).to.deep.equal([])
    expect(those([{ a: 1 }], match('contains', ['o'], { numeric: true }))).to.deep.equal([])
  })

  it('follows a path through embedded values', () => {
    expect(evaluate(is(1, 'a.b'), { a: { b: 1 } })).to.equal(true)
    expect(evaluate(is(1, 'a.b'), { a: 1 })).to.equal(false)
    expect(evaluate(is(1, 'a.b'), { a: null })).to.equal(false)
    expect(evaluate(testAt({ op: 'null' }, 'a.b'), { a: 'text' })).to.equal(true)
    expect(evaluate(testAt({ op: 'null' }, 'a.length'), { a: 'text' })).to.equal(true)
    expect(evaluate(testAt({ op: 'null' }, 'a.b.c'), { a: {} })).to.equal(true)
  })

  it('matches a list if one element matches, and an empty list if orEmpty is set', () => {
    const element = (orEmpty: boolean): ResolvedCondition => ({
      ...{ kind: 'element', path: 'a', of: is(1, 'b'), orEmpty },
    })
    expect(evaluate(element(false), { a: [{ b: 2 }, { b: 1 }] })).to.equal(true)
    expect(evaluate(element(true), { a: [{ b: 2 }] })).to.equal(false)
    expect(evaluate(element(false), { a: { b: 1 } })).to.equal(true)
    for (const a of [[], null, undefined, 7]) {
      expect(evaluate(element(true), { a })).to.equal(true)
      expect(evaluate(element(false), { a })).to.equal(false)
    }
  })

  it('matches a relation to one of the found documents', () => {
    const keys = (path = 'a.documentId'): ResolvedCondition => ({
      ...{ kind: 'keys', path, values: ['k1', 'k2'] },
    })
    const some = { a: [{ documentId: 'k9' }, { documentId: 'k2' }] }
    expect(evaluate(keys(), some)).to.equal(true)
    expect(evaluate({ kind: 'none', of: [keys()] }, some)).to.equal(false)
    expect(evaluate(keys(), { a: { documentId: 'k9' } })).to.equal(false)
    expect(evaluate({ kind: 'none', of: [keys()] }, { a: null })).to.equal(true)
    const inner = { 'x.documentIds': 1, x: { documentIds: { documentId: 'k1' } } }
    expect(evaluate(keys('x.documentIds.documentId'), inner)).to.equal(true)
  })
})

describe('sortValues', () => {
  const key = (path: string, direction: 1 | -1 = 1): SortKey => ({ through: [], path, direction })
  const ids = (values: readonly Readonly<Record<string, unknown>>[], ...keys: readonly SortKey[]) =>
    sortValues(values, keys).map(({ id }) => id)

  it('sorts in either direction, with null lowest', () => {
    const values = [{ id: 1, a: 2 }, { id: 2, a: null }, { id: 3, a: 1 }, { id: 4 }]
    expect(ids(values, key('a'))).to.deep.equal([2, 4, 3, 1])
    expect(ids(values, key('a', -1))).to.deep.equal([1, 3, 2, 4])
    expect(ids(values)).to.deep.equal([1, 2, 3, 4])
  })

  it('uses the next key for equal values, and finally the original order', () => {
    const values = [
      { id: 1, a: 1, b: 1 },
      { id: 2, a: 1, b: 2 },
      { id: 3, a: 0, b: 0 },
      { id: 4, a: 1, b: 1 },
    ]
    expect(ids(values, key('a', -1), key('b', -1))).to.deep.equal([2, 1, 4, 3])
  })

  it('uses the lowest value of a list when ascending and the highest when descending', () => {
    const values = [
      { id: 1, a: [{ b: 5 }, { b: 2 }, { b: 7 }] },
      { id: 2, a: [{ b: 3 }] },
      { id: 3, a: [{ b: 6 }, { b: 1 }] },
      { id: 4, a: [] },
    ]
    expect(ids(values, key('a.b'))).to.deep.equal([4, 3, 1, 2])
    expect(ids(values, key('a.b', -1))).to.deep.equal([1, 3, 2, 4])
  })

  it('sorts by a path of several steps', () => {
    const values = [
      { id: 1, a: { b: { c: 2 } } },
      { id: 2, a: { b: null } },
      { id: 3, a: { b: { c: 1 } } },
    ]
    expect(ids(values, key('a.b.c'))).to.deep.equal([2, 3, 1])
  })
})
