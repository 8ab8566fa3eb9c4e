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

/** The index on `part` omits entries without a part. */
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

describe('accessTo', () => {
  it('uses a key for as many entries as it names, up to the size of the collection', () => {
    expect(of(among('documentId', 'a', 'b'))).to.equal('index 2')
    expect(of(among('_id', 'a'))).to.equal('index 1')
    const few = { ...books, entries: 1 }
    expect(of(among('documentId', 'a', 'b'), few)).to.equal('index 1')
    expect(of(among('documentId', 'a'), { ...books, entries: 0 })).to.equal('index 0')
    expect(of(at('documentId', { op: 'notIn', values: [text('a')] }))).to.equal('scan 1000 tested')
  })

  it('uses an index that starts with the path, by default for a tenth of the entries', () => {
    expect(of(among('price', 'a', 'b'))).to.equal('index 100')
    expect(of(at('price', { op: 'gt', value: text('a') }))).to.equal('index 100')
    expect(of(at('known', { op: 'gt', value: text('a') }))).to.equal('index 100')
    expect(of(no)).to.equal('scan 1000 tested')
  })

  it('multiplies the usual share of a value by the number of values', () => {
    expect(of(among('known', 'a'))).to.equal('index 20')
    expect(of(among('known', 'a', 'b'))).to.equal('index 40')
    expect(of(at('known', match({ texts: ['a', 'b', 'c'] })))).to.equal('index 60')
    expect(of(among('known', ...Array<string>(99).fill('a')))).to.equal('index 1000')
  })

  it('expects one entry per value in a unique index', () => {
    expect(of(among('code', 'a', 'b'))).to.equal('index 2')
    expect(of(at('code', match({})))).to.equal('index 1')
    expect(of(at('code', match({ how: 'startsWith' })))).to.equal('index 100')
    expect(of(at('code', { op: 'lt', value: text('a') }))).to.equal('index 100')
    expect(of(among('pair', 'a'))).to.equal('index 100')
  })

  it('uses an index for contiguous ranges, and for null if the index has all entries', () => {
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

  it('reads all entries if only the locale is restricted', () => {
    expect(of(among('locale', 'en'))).to.equal('all 1000')
    expect(of({ kind: 'all', of: [] })).to.equal('all 1000')
    expect(of({ kind: 'all', of: [among('locale', 'en'), among('locale', 'fr')] })).to.equal(
      'all 1000',
    )
  })

  it('uses the most selective of several required conditions and tests the rest', () => {
    const all = (...of: readonly Condition[]): Condition => ({ kind: 'all', of })
    expect(of(all(among('price', 'a'), among('known', 'a')))).to.equal('index 20')
    expect(of(all(among('known', 'a'), among('price', 'a')))).to.equal('index 20')
    expect(of(all(among('known', 'a'), no))).to.equal('index 20 tested')
    expect(of(all(among('documentId', 'a'), among('known', 'a')))).to.equal('index 1')
    expect(of(all(no, among('locale', 'en')))).to.equal('scan 1000 tested')
  })

  it('uses several indexes for alternatives, or a scan if one alternative has no index', () => {
    const any = (...of: readonly Condition[]): Condition => ({ kind: 'any', of })
    expect(of(any(among('price', 'a'), among('known', 'a')))).to.equal('index 120')
    expect(of(any(among('documentId', 'a'), among('_id', 'b')))).to.equal('index 2')
    expect(of(any(among('documentId', 'a'), among('known', 'b')))).to.equal('index 21')
    expect(of(any(among('known', 'a'), no))).to.equal('scan 1000 tested')
    expect(of(any(among('known', 'a'), among('locale', 'en')))).to.equal('scan 1000 tested')
    const tested: Condition = { kind: 'all', of: [among('known', 'a'), no] }
    expect(of(any(among('documentId', 'a'), tested))).to.equal('index 21 tested')
  })

  it('tests negated conditions on every entry', () => {
    expect(of({ kind: 'none', of: [among('known', 'a')] })).to.equal('scan 1000 tested')
    const all: Condition = {
      kind: 'all',
      of: [among('known', 'a'), { kind: 'none', of: [related(link(), among('name', 'a'))] }],
    }
    expect(of(all)).to.equal('index 20 tested')
  })

  it('tests elements of components on every entry', () => {
    const element: Condition = { kind: 'element', path: 'parts', of: no, orEmpty: false }
    expect(of(element)).to.equal('scan 1000 tested')
  })
})

describe('accessTo through a relation', () => {
  it('uses an index on the references, for the usual number of sources per target', () => {
    expect(of(related(link(), among('documentId', 'a', 'b')))).to.equal('index 10')
    expect(of(related(link({ path: 'topic', listed: true }), among('documentId', 'a')))).to.equal(
      'index 100',
    )
  })

  it('uses the references of the targets on the inverse side, with one source each', () => {
    const inverse = link({ stored: 'there', path: 'books' })
    expect(of(related(inverse, among('documentId', 'a', 'b')))).to.equal('index 2')
    expect(of(related(inverse, among('name', 'a')))).to.equal('index 5')
  })

  it('assumes a tenth of the entries if the number of targets is unknown', () => {
    for (const inner of [no, { kind: 'all', of: [] } as const])
      expect(of(related(link(), inner))).to.equal('index 100')
  })

  it('scans if no index has the references, or if entries without a target match', () => {
    expect(of(related(link({ path: 'topic' }), among('documentId', 'a')))).to.equal(
      'scan 1000 tested',
    )
    expect(of(related(link(), among('documentId', 'a'), true))).to.equal('scan 1000 tested')
  })
})
