import { expect } from 'chai'
import type { CollectionFacts } from '../../../../engine/read/cost/collection-facts.js'
import { accessTo } from '../../../../engine/read/cost/index-use.js'
import type { Condition, Link } from '../../../../engine/read/plan/read-plan.js'
import type { Test, Value } from '../../../../engine/values/value-test.js'

const index = (fields: readonly string[], more: object = {}) => ({
  ...{ fields, isWhole: true },
  ...more,
})
const often = (usual: number) => ({ each: 1, usual, most: usual })

/** Of a thousand books; of the indexes that of `part` holds only those that have one. */
const books: CollectionFacts = {
  entries: 1000,
  indexes: [
    ...[index(['price', '_id']), index(['part'], { isWhole: false }), index(['known'])],
    ...[index(['code'], { isUnique: true }), index(['pair', 'code'], { isUnique: true })],
    ...[index(['writer.documentId'])],
  ],
  sample: {
    ...{ bytes: 100, fields: new Map() },
    values: new Map([
      ...[['known', often(0.02)] as const, ['writer.documentId', often(0.005)] as const],
    ]),
  },
}
const writers: CollectionFacts = { entries: 50, indexes: [index(['name'])] }
const factsOf = (collection: string): CollectionFacts => (collection === 'books' ? books : writers)

const of = (condition: Condition, facts = books): string => {
  const { by, entries, isTested } = accessTo(condition, facts, factsOf)
  return `${by} ${entries}${isTested ? ' tested' : ''}`
}
const text = (value: string): Value => ({ as: 'text', value })
const at = (path: string, test: Test): Condition => ({ kind: 'test', path, test })
const among = (path: string, ...values: readonly string[]): Condition =>
  at(path, { op: 'in', values: values.map(text) })
const match = (more: object): Test => ({
  ...{ op: 'match', how: 'equals', insensitive: false, negated: false, texts: ['a'] },
  ...more,
})
const link = (more: Partial<Link> = {}): Link => ({
  ...{ collection: 'writers', stored: 'here', path: 'writer', many: false },
  ...{ locale: { kind: 'none' }, ...more },
})
const related = (to: Link, inner: Condition, orNone = false): Condition => ({
  ...{ kind: 'related', link: to, of: inner, orNone },
})
const no = among('other', 'a')

describe('The database gets at entries', () => {
  it('by their keys, as many as are named, and no more than there are', () => {
    expect(of(among('documentId', 'a', 'b'))).to.equal('key 2')
    expect(of(among('_id', 'a'))).to.equal('key 1')
    const few = { ...books, entries: 1 }
    expect(of(among('documentId', 'a', 'b'), few)).to.equal('key 1')
    expect(of(among('documentId', 'a'), { ...books, entries: 0 })).to.equal('key 0')
    expect(of(at('documentId', { op: 'notIn', values: [text('a')] }))).to.equal('scan 1000 tested')
  })

  it('by an index that begins with the path, a tenth of them where nothing is known', () => {
    expect(of(among('price', 'a', 'b'))).to.equal('index 100')
    expect(of(at('price', { op: 'gt', value: text('a') }))).to.equal('index 100')
    expect(of(at('known', { op: 'gt', value: text('a') }))).to.equal('index 100')
    expect(of(no)).to.equal('scan 1000 tested')
  })

  it('by an index as many as usually have a value, for each of them', () => {
    expect(of(among('known', 'a'))).to.equal('index 20')
    expect(of(among('known', 'a', 'b'))).to.equal('index 40')
    expect(of(at('known', match({ texts: ['a', 'b', 'c'] })))).to.equal('index 60')
    expect(of(among('known', ...Array<string>(99).fill('a')))).to.equal('index 1000')
  })

  it('by a unique index one for each value', () => {
    expect(of(among('code', 'a', 'b'))).to.equal('index 2')
    expect(of(at('code', match({})))).to.equal('index 1')
    expect(of(at('code', match({ how: 'startsWith' })))).to.equal('index 100')
    expect(of(at('code', { op: 'lt', value: text('a') }))).to.equal('index 100')
    expect(of(among('pair', 'a'))).to.equal('index 100')
  })

  it('by an index for what stands together in it, and for null where it holds all', () => {
    const value = text('a')
    const together: readonly Test[] = [
      ...(['lt', 'lte', 'gt', 'gte'] as const).map((op) => ({ op, value })),
      ...[{ op: 'between', values: [value, value] } as const, { op: 'null' } as const],
      ...[match({ how: 'equals' }), match({ how: 'startsWith' })],
    ]
    for (const test of together) expect(of(at('price', test)), test.op).to.equal('index 100')
    const apart: readonly Test[] = [
      ...[{ op: 'notIn', values: [value] } as const, { op: 'notNull' } as const],
      ...[{ op: 'notBetween', values: [value, value] } as const, match({ negated: true })],
      ...[match({ insensitive: true }), match({ numeric: true }), match({ how: 'contains' })],
      ...[match({ how: 'endsWith' })],
      { op: 'at', keys: ['a'], of: { op: 'null' }, negated: false },
    ]
    for (const test of apart) expect(of(at('price', test)), test.op).to.equal('scan 1000 tested')
    expect(of(at('part', { op: 'null' }))).to.equal('scan 1000 tested')
    expect(of(among('part', 'a'))).to.equal('index 100')
  })

  it('as all there are where only a locale is asked for', () => {
    expect(of(among('locale', 'en'))).to.equal('all 1000')
    expect(of({ kind: 'all', of: [] })).to.equal('all 1000')
    expect(of({ kind: 'all', of: [among('locale', 'en'), among('locale', 'fr')] })).to.equal(
      'all 1000',
    )
  })

  it('by the index that leaves the least of several conditions, and tests the rest', () => {
    const all = (...of: readonly Condition[]): Condition => ({ kind: 'all', of })
    expect(of(all(among('price', 'a'), among('known', 'a')))).to.equal('index 20')
    expect(of(all(among('known', 'a'), among('price', 'a')))).to.equal('index 20')
    expect(of(all(among('known', 'a'), no))).to.equal('index 20 tested')
    expect(of(all(among('documentId', 'a'), among('known', 'a')))).to.equal('key 1')
    expect(of(all(no, among('locale', 'en')))).to.equal('scan 1000 tested')
  })

  it('by several indexes for one of several conditions, unless one of them has none', () => {
    const any = (...of: readonly Condition[]): Condition => ({ kind: 'any', of })
    expect(of(any(among('price', 'a'), among('known', 'a')))).to.equal('index 120')
    expect(of(any(among('documentId', 'a'), among('_id', 'b')))).to.equal('key 2')
    expect(of(any(among('documentId', 'a'), among('known', 'b')))).to.equal('index 21')
    expect(of(any(among('known', 'a'), no))).to.equal('scan 1000 tested')
    expect(of(any(among('known', 'a'), among('locale', 'en')))).to.equal('scan 1000 tested')
    const tested: Condition = { kind: 'all', of: [among('known', 'a'), no] }
    expect(of(any(among('documentId', 'a'), tested))).to.equal('index 21 tested')
  })

  it('one by one for what must not be so', () => {
    expect(of({ kind: 'none', of: [among('known', 'a')] })).to.equal('scan 1000 tested')
    const all: Condition = {
      kind: 'all',
      of: [among('known', 'a'), { kind: 'none', of: [related(link(), among('name', 'a'))] }],
    }
    expect(of(all)).to.equal('index 20 tested')
  })

  it('one by one for elements of components', () => {
    const element: Condition = { kind: 'element', path: 'parts', of: no, orEmpty: false }
    expect(of(element)).to.equal('scan 1000 tested')
  })
})

describe('The database gets at the holders of targets', () => {
  it('by their references, as many as usually have one', () => {
    expect(of(related(link(), among('documentId', 'a', 'b')))).to.equal('index 10')
    expect(of(related(link({ path: 'topic', listed: true }), among('documentId', 'a')))).to.equal(
      'index 100',
    )
  })

  it('by what targets refer to, one for each', () => {
    const there = link({ stored: 'there', path: 'books' })
    expect(of(related(there, among('documentId', 'a', 'b')))).to.equal('index 2')
    expect(of(related(there, among('name', 'a')))).to.equal('index 5')
  })

  it('as a tenth where nobody knows how many targets there are', () => {
    for (const inner of [no, { kind: 'all', of: [] } as const])
      expect(of(related(link(), inner))).to.equal('index 100')
  })

  it('one by one where no index has the references, or holders of none are asked for', () => {
    expect(of(related(link({ path: 'topic' }), among('documentId', 'a')))).to.equal(
      'scan 1000 tested',
    )
    expect(of(related(link(), among('documentId', 'a'), true))).to.equal('scan 1000 tested')
  })
})
