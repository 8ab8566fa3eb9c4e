import { expect } from 'chai'
import type { CollectionFacts } from '../../../../engine/read/cost/collection-facts.js'
import { costOfGroups } from '../../../../engine/read/cost/groups-cost.js'
import type {
  Condition,
  GroupKeyPlan,
  Link,
  ReadPlan,
  SortStep,
} from '../../../../engine/read/plan/read-plan.js'
import { always } from '../../../../engine/read/plan/read-plan.js'

const facts: Readonly<Record<string, CollectionFacts>> = {
  books: { entries: 1000, indexes: [] },
  writers: { entries: 50, indexes: [{ fields: ['name'], isWhole: true }] },
  countries: { entries: 10, indexes: [] },
  reviews: { entries: 3000, indexes: [] },
}
const factsOf = (collection: string): CollectionFacts =>
  facts[collection] ?? { entries: 0, indexes: [] }

const key = (name: string, ...through: readonly SortStep[]): GroupKeyPlan => ({
  ...{ name, through, path: name, form: 'text' },
})
const link = (collection: string, path: string, more: Partial<Link> = {}): Link => ({
  ...{ collection, path, stored: 'here', many: false, locale: { kind: 'none' }, ...more },
})
const to = (collection: string, path: string, more?: Partial<Link>): SortStep => ({
  ...{ kind: 'link', link: link(collection, path, more) },
})
const among = (path: string, ...values: readonly string[]): Condition => ({
  ...{ kind: 'test', path },
  test: { op: 'in', values: values.map((value) => ({ as: 'text', value })) },
})

/** Returns the bytes of the response and the nonzero parts of the cost. */
function groups(
  keys: readonly GroupKeyPlan[],
  plan: Partial<Pick<ReadPlan, 'collection' | 'match' | 'chain' | 'limit'>> = {},
): unknown {
  const parts: [string, number][] = []
  const sum = { of: 'sum', name: 'pages', path: 'pages', form: 'number' } as const
  const { bytes } = costOfGroups(
    { collection: 'books', match: always, limit: 25, ...plan },
    { keys, count: true, measures: [sum], sort: [], withTotal: false },
    factsOf,
    (part, cost) => void parts.push([part, Number(cost.toFixed(3))]),
  )
  return { bytes, parts: parts.filter(([, cost]) => cost > 0) }
}

const way = (...through: readonly SortStep[]): unknown =>
  (groups([key('name', ...through)]) as { parts: unknown[] }).parts.slice(2)

describe('cost of an aggregation', () => {
  const command = 40
  const fetched = 0.2
  const tested = 0.02

  it('covers all entries and their values, however many groups are shown', () => {
    expect(groups([key('genre')])).to.deep.equal({
      bytes: 25 * 3 * 40,
      parts: [
        ['entries', command + 1000 * fetched],
        ['groups', 1000 * 3 * 0.1],
      ],
    })
    expect(groups([key('genre'), key('year')], { limit: 10 })).to.deep.equal({
      bytes: 10 * 4 * 40,
      parts: [
        ['entries', command + 1000 * fetched],
        ['groups', 1000 * 4 * 0.1],
      ],
    })
  })

  it('covers the entries that a filter finds, and testing them', () => {
    const few = among('documentId', 'a', 'b')
    expect(groups([], { match: few })).to.deep.equal({
      bytes: 25 * 2 * 40,
      parts: [
        ['entries', command + 2 * (fetched + tested)],
        ['groups', 2 * 2 * 0.1],
      ],
    })
    const test = { op: 'match', how: 'contains', insensitive: false, negated: false } as const
    const match: Condition = { kind: 'test', path: 'title', test: { ...test, texts: ['x'] } }
    expect(groups([], { match })).to.deep.equal({
      bytes: 25 * 2 * 40,
      parts: [
        ['entries', command + 1000 * (fetched + tested + 200 * 0.0002)],
        ['groups', 1000 * 2 * 0.1],
      ],
    })
  })

  it('includes comparing versions if one of several locales is shown', () => {
    expect(groups([], { chain: ['de', 'en'] }))
      .to.have.property('parts')
      .that.deep.includes(['entries', command + 1000 * (fetched + 3)])
  })

  it('includes one lookup per target if the number of targets is known', () => {
    expect(way(to('writers', 'writer'))).to.deep.equal([['groupBy writer', 50 + 50 * 10]])
    expect(way(to('reviews', 'review'))).to.deep.equal([['groupBy review', 50 + 1000 * 10]])
    expect(way(to('unknown', 'other'))).to.deep.equal([['groupBy other', 50 + 1000 * 10]])
  })

  it('includes one lookup per entry for inverse sides and lists of targets', () => {
    const inverse = { stored: 'there' } as const
    expect(way(to('writers', 'book', inverse))).to.deep.equal([['groupBy book', 50 + 1000 * 10]])
    expect(way(to('writers', 'writers', { many: true }))).to.deep.equal([
      ['groupBy writers', 50 + 1000 * 10],
    ])
  })

  it('multiplies the lookups of a further relation by the assumed targets of the previous one', () => {
    const country = to('countries', 'country')
    expect(way(to('writers', 'writer'), country)).to.deep.equal([
      ['groupBy writer → country', 50 + 50 * 10 + 50 + 50 * 10],
    ])
    const all = 50 + 1000 * 10
    const behind = all + 50 + 5000 * 10
    expect(way(to('writers', 'writers', { many: true }), country)).to.deep.equal([
      ['groupBy writers → country', behind],
    ])
    const refer = { stored: 'there', many: true } as const
    expect(way(to('unknown', 'book', refer), country)).to.deep.equal([
      ['groupBy book → country', behind],
    ])
  })

  it('includes relations in lists of components, but not the lists', () => {
    const parts: SortStep = { kind: 'list', path: 'parts' }
    expect(way(parts)).to.deep.equal([])
    expect(way(parts, to('writers', 'parts.writer'))).to.deep.equal([
      ['groupBy parts → parts.writer', 50 + 1000 * 10],
    ])
  })

  it('includes a path that several keys share only once', () => {
    const writer = to('writers', 'writer')
    const keys = [key('name', writer), key('age', writer), key('home', to('countries', 'home'))]
    expect(groups(keys)).to.deep.equal({
      bytes: 25 * 5 * 40,
      parts: [
        ['entries', command + 1000 * fetched],
        ['groups', 1000 * 5 * 0.1],
        ['groupBy writer', 550],
        ['groupBy home', 150],
      ],
    })
  })
})
