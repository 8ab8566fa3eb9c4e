import { expect } from 'chai'
import fc from 'fast-check'
import { costs } from '../../engine/read/cost/cost-units.js'
import type { QueryTree, Indexing } from '../server/indexes/start-indexing.js'
import { startIndexing } from '../server/indexes/start-indexing.js'
import { runs } from '../support/properties.js'

/** A random query: equality filters, a range, a sort order, and whether it requests the total. */
type Drawn = Readonly<{
  equal: readonly (keyof typeof values)[]
  range: keyof typeof ranges | null
  sort: readonly string[]
  counted: boolean
}>

const values = { kind: 'guide', featured: 'true', rank: '77' } as const
const ranges = { likes: '2000', publishedOn: '2024-01-01', title: 'Title 5' } as const
const keys = ['likes', 'publishedOn', 'rank', 'title'] as const

const drawnQuery: fc.Arbitrary<Drawn> = fc.record({
  equal: fc.subarray(['kind', 'featured', 'rank'] as const, { maxLength: 2 }),
  range: fc.option(fc.constantFrom('likes', 'publishedOn', 'title' as const)),
  sort: fc
    .tuple(fc.subarray([...keys], { maxLength: 2 }), fc.boolean(), fc.boolean())
    .map(([found, ...down]) => found.map((key, at) => (down[at] === true ? `${key}:desc` : key))),
  counted: fc.boolean(),
})

const queryOf = ({ equal, range, sort, counted }: Drawn): QueryTree => ({
  filters: {
    ...Object.fromEntries(equal.map((name) => [name, values[name]])),
    ...(range === null ? {} : { [range]: { $gte: ranges[range] } }),
  },
  ...(sort.length === 0 ? {} : { sort }),
  ...(counted ? {} : { pagination: { withCount: 'false' } }),
})

/** Returns the indexes that a person would create for this query alone. */
function handMade({ equal, range, sort }: Drawn): readonly Record<string, 1 | -1>[] {
  const begin = [['locale', 1] as const, ...equal.map((name) => [name, 1] as const)]
  const order = sort.map((text) => {
    const [path = '', way] = text.split(':')
    return [path, way === 'desc' ? -1 : 1] as const
  })
  const last = ['_id', order.at(-1)?.[1] ?? 1] as const
  const all = [
    [...begin, ...order, last],
    ...(range === null ? [] : [[...begin, [range, 1] as const, ['_id', 1] as const]]),
  ]
  // An index on the locale and the record id alone already exists.
  const needed = all.filter((fields) => fields.length > 2)
  return needed.map((fields) => Object.fromEntries(fields) as Record<string, 1 | -1>)
}

describe('ten random queries with automatic indexes', function () {
  this.timeout(300_000)
  let indexing: Indexing
  before(async () => (indexing = await startIndexing()))
  after(() => indexing.stop())

  /** Returns the work of the database for all commands of a query, in units of 10 µs. */
  const workOf = async (query: QueryTree): Promise<number> => {
    const { pipelines } = await indexing.explain(query)
    return pipelines.reduce((sum, { statistics }) => {
      const docs = find(statistics, 'totalDocsExamined')
      const keys = find(statistics, 'totalKeysExamined')
      return sum + costs.command + docs * costs.scanned + keys * costs.passed
    }, 0)
  }
  const workOfAll = async (queries: readonly QueryTree[]): Promise<readonly number[]> => {
    const all: number[] = []
    for (const query of queries) all.push(Math.round(await workOf(query)))
    return all
  }
  const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0)

  it('need at most 1.2 times the work that manual indexes need, and return the same', async () => {
    const workload = fc.array(drawnQuery, { minLength: 10, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(workload, async (drawn) => {
        await indexing.clear()
        const queries = drawn.map(queryOf)
        const before = await Promise.all(queries.map((query) => indexing.answer(query)))
        const { indexer, ask } = await indexing.instance({
          settings: { 'indexes.perCollection': 20 },
          bounds: { minSavedMs: 1, minEntries: 1000 },
        })
        for (const query of queries) ask(query, 500)
        await indexer.check()
        const own = await workOfAll(queries)
        expect(await Promise.all(queries.map((query) => indexing.answer(query)))).to.deep.equal(
          before,
        )
        const notes = indexing.db.collection('notes')
        const made = await indexing.made()
        for (const name of made) await notes.dropIndex(name)
        const byHand = new Map(drawn.flatMap(handMade).map((key) => [JSON.stringify(key), key]))
        for (const [name, key] of byHand) await notes.createIndex(key, { name })
        const best = await workOfAll(queries)
        for (const name of byHand.keys()) await notes.dropIndex(name)
        const details = JSON.stringify({ made, own, best, queries })
        expect(sum(own), details).to.be.at.most(sum(best) * 1.2)
      }),
      { numRuns: runs(4) },
    )
  })
})

function find(container: unknown, name: string): number {
  if (typeof container !== 'object' || container === null) return 0
  for (const [key, value] of Object.entries(container)) {
    if (key === name) return Number(value)
    const found = find(value, name)
    if (found > 0) return found
  }
  return 0
}
