import { expect } from 'chai'
import { evaluate } from '../../../../engine/read/answer/evaluate.js'
import type { JsonTest } from '../../../../engine/values/value-test.js'

const holds = (stored: unknown, of: JsonTest, negated = false): boolean =>
  evaluate(
    { kind: 'test', path: 'data', test: { op: 'at', keys: ['a'], of, negated } },
    { data: { a: stored } },
  )

const those = (stored: readonly unknown[], of: JsonTest, negated = false): readonly unknown[] =>
  stored.filter((value) => holds(value, of, negated))

type Match = Extract<JsonTest, { op: 'match' }>
const match = (how: Match['how'], texts: readonly string[], more: Partial<Match> = {}): Match => ({
  ...{ op: 'match', how, insensitive: false, texts },
  ...more,
})

describe('filter on a JSON path in a component', () => {
  const of = (op: 'in' | 'lt' | 'lte' | 'gt' | 'gte', ...texts: readonly string[]): JsonTest => ({
    ...{ op, texts },
  })

  it('matches missing values, null, and lists without other values with $null, and all else with $notNull', () => {
    const stored = [undefined, null, [], [null], 0, '', false, {}, [1]]
    const isNull = { op: 'null' } as const
    expect(those(stored, isNull)).to.deep.equal([undefined, null, [], [null]])
    expect(those(stored, isNull, true)).to.deep.equal([0, '', false, {}, [1]])
  })

  it('compares a query text with texts, numbers and booleans', () => {
    expect(those(['5', 5, 5n, '5.0', 6, true], of('in', '5'))).to.deep.equal(['5', 5, 5n])
    expect(those([5, 5.5, '5.50', '5.5'], of('in', '5.50'))).to.deep.equal([5.5, '5.50'])
    expect(those([true, 'true', 1, false], of('in', 'true'))).to.deep.equal([true, 'true'])
    expect(those([true, false, 'false', 0], of('in', 'false'))).to.deep.equal([false, 'false'])
    expect(those(['x', 'X', null], of('in', 'x'))).to.deep.equal(['x'])
    expect(those([1, true, '1'], of('in', '1'))).to.deep.equal([1, '1'])
  })

  it('never equals an object, or a list within a list', () => {
    expect(those([{ a: 5 }, [[5]]], of('in', '5', '[object Object]'))).to.deep.equal([])
  })

  it('matches if one of several texts matches', () => {
    expect(those(['a', 'b', 'c'], of('in', 'a', 'c'))).to.deep.equal(['a', 'c'])
    expect(those(['a', 'b', 'c'], of('in'))).to.deep.equal([])
    expect(those([1, 5, 9], of('lt', '2', '6'))).to.deep.equal([1, 5])
  })

  it('matches a list if one element matches', () => {
    expect(those([[1, 2], [3], []], of('in', '2'))).to.deep.equal([[1, 2]])
  })

  it('matches a negated test if there is a value and no element matches', () => {
    const stored = ['a', 'b', ['a', 'b'], ['b', 'c'], null, undefined, []]
    expect(those(stored, of('in', 'a'), true)).to.deep.equal(['b', ['b', 'c']])
  })

  it('orders numbers among numbers', () => {
    const stored = [1, 2, 2n, 3]
    expect(those(stored, of('lt', '2'))).to.deep.equal([1])
    expect(those(stored, of('lte', '2'))).to.deep.equal([1, 2, 2n])
    expect(those(stored, of('gt', '2'))).to.deep.equal([3])
    expect(those(stored, of('gte', '2'))).to.deep.equal([2, 2n, 3])
  })

  it('orders texts among texts, by code point', () => {
    const stored = ['a', 'b', 'c', '10']
    expect(those(stored, of('lt', 'b'))).to.deep.equal(['a', '10'])
    expect(those(stored, of('lte', 'b'))).to.deep.equal(['a', 'b', '10'])
    expect(those(stored, of('gt', 'b'))).to.deep.equal(['c'])
    expect(those(stored, of('gte', 'b'))).to.deep.equal(['b', 'c'])
    expect(those(['10', 10], of('gt', '9'))).to.deep.equal([10])
  })

  it('does not order booleans, objects, or numbers against a word', () => {
    expect(those([true, false, { a: 1 }, [[1]]], of('gte', '0'))).to.deep.equal([])
    expect(those([0, 7], of('gte', 'x'))).to.deep.equal([])
    expect(those([0, 7], of('lt', 'x'))).to.deep.equal([])
  })

  it('includes both bounds of $between', () => {
    const between = (low: string, high: string): JsonTest => ({ op: 'between', texts: [low, high] })
    expect(those([1, 2, 3, 4, 5, 'x'], between('2', '4'))).to.deep.equal([2, 3, 4])
    expect(those(['a', 'b', 'c', 'd', 2], between('b', 'c'))).to.deep.equal(['b', 'c'])
    expect(those([2, 3], between('4', '2'))).to.deep.equal([])
  })

  it('applies text operators to numbers and booleans, but not to objects', () => {
    const stored = ['abc', 'ABC', 'xab', 12, true, { ab: 1 }, [['ab']]]
    expect(those(stored, match('contains', ['ab']))).to.deep.equal(['abc', 'xab'])
    expect(those(stored, match('startsWith', ['ab']))).to.deep.equal(['abc'])
    expect(those(stored, match('endsWith', ['ab']))).to.deep.equal(['xab'])
    expect(those(stored, match('equals', ['abc']))).to.deep.equal(['abc'])
    expect(those(stored, match('equals', ['abc'], { insensitive: true }))).to.deep.equal([
      ...['abc', 'ABC'],
    ])
    expect(those(stored, match('startsWith', ['1']))).to.deep.equal([12])
    expect(those(stored, match('endsWith', ['e']))).to.deep.equal([true])
    expect(those([{ ab: 1 }], match('contains', ['object']))).to.deep.equal([])
  })

  it('matches any of several texts, or all of them if required', () => {
    const stored = ['ab', 'a', 'b', 'c']
    expect(those(stored, match('contains', ['a', 'b']))).to.deep.equal(['ab', 'a', 'b'])
    expect(those(stored, match('contains', ['a', 'b'], { every: true }))).to.deep.equal(['ab'])
  })

  it('follows a path through the elements of lists', () => {
    const test = { op: 'at', keys: ['a', 'b'], of: of('in', 'x'), negated: false } as const
    const of2 = (a: unknown): boolean =>
      evaluate({ kind: 'test', path: 'data', test }, { data: { a } })
    expect(of2([{ b: 'y' }, { b: ['z', 'x'] }])).to.equal(true)
    expect(of2([{ b: 'y' }, 'x'])).to.equal(false)
    expect(of2({ b: { x: 1 } })).to.equal(false)
  })
})
