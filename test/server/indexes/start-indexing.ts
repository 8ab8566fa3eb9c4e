import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { pino } from 'pino'
import { prepareCollections } from '../../../engine/database/prepare-collections.js'
import type { RecordedIndex } from '../../../engine/database/recorded-indexes.js'
import { readRecorded } from '../../../engine/database/recorded-indexes.js'
import type { Explanation } from '../../../engine/explain.js'
import { explainRead } from '../../../engine/explain.js'
import { createQueryCache } from '../../../engine/read/plan/known-queries.js'
import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { connectDatabase } from '../../../server/database/connect.js'
import type { Indexer, IndexerOptions } from '../../../server/indexes/keep-indexed.js'
import { startIndexer } from '../../../server/indexes/keep-indexed.js'
import type { ObservedDemands } from '../../../server/indexes/observed-demands.js'
import { createObservedDemands } from '../../../server/indexes/observed-demands.js'
import { inlineExecutor } from '../../../workers/executor.js'
import { component, contentType, relation } from '../../engine/write/model.js'
import { planFor, readText } from '../../engine/read/execute/naive/engine-world.js'
import { testDatabaseUri } from '../../support/database.js'

export const day = 86_400_000

/** A query string as a tree. */
export type QueryTree = Readonly<Record<string, unknown>>

type InstanceOptions = Partial<Omit<IndexerOptions, 'settings'>> &
  Readonly<{ settings?: Partial<IndexerOptions['settings']> }>

/** A process that creates indexes. Its clock only moves when a test moves it. */
type Instance = Readonly<{
  indexer: Indexer
  demands: ObservedDemands
  /** Records a query as if it had been requested `times` times, the first time 20 seconds before all others. */
  ask: (query: QueryTree, times: number, uid?: string) => void
}>

export type Indexing = Readonly<{
  db: Db
  registry: () => Registry
  /** Replaces the definitions of the types, as a restart does. */
  define: (definitions: readonly SourcedDefinition[]) => Promise<void>
  /** Moves the clock by a number of milliseconds. */
  pass: (ms: number) => void
  instance: (options?: InstanceOptions) => Promise<Instance>
  /** Returns the names of indexes that no definition declares. */
  made: (collection?: string) => Promise<readonly string[]>
  records: () => Promise<readonly RecordedIndex[]>
  explain: (query: QueryTree, uid?: string) => Promise<Explanation>
  answer: (query: QueryTree) => Promise<string | null>
  events: () => readonly string[]
  clear: () => Promise<void>
  stop: () => Promise<void>
}>

const note = 'api::note.note'
export const author = 'api::author.author'

/** Attributes of which none has an index. */
export const noteAttributes = {
  title: { type: 'string' },
  body: { type: 'text' },
  long: { type: 'richtext' },
  kind: { type: 'enumeration', enum: ['essay', 'report', 'guide', 'review'] },
  featured: { type: 'boolean' },
  rank: { type: 'integer' },
  likes: { type: 'integer' },
  publishedOn: { type: 'date' },
  meta: { type: 'json' },
  author: relation('manyToOne', 'author'),
  editor: relation('manyToOne', 'author'),
  tags: relation('manyToMany', 'author'),
  seo: { type: 'component', component: 'shared.seo' },
}

export const definitionsOf = (attributes: object): readonly SourcedDefinition[] => [
  component('shared.seo', { score: { type: 'integer' } }),
  contentType('note', { ...attributes }, { localized: true }),
  contentType('author', { name: { type: 'string' }, city: { type: 'string' } }),
]

const sizes = { notes: 3000, authors: 2000 }

export async function startIndexing(): Promise<Indexing> {
  const client = await connectDatabase(await testDatabaseUri(), { appName: 'test' })
  const db = client.db()
  let registry = createRegistryFrom(definitionsOf(noteAttributes), 1)
  let time = Date.UTC(2030, 0, 1)
  const lines: string[] = []
  const log: Logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const now = () => time
  const open: Indexer[] = []
  const list: Partial<Parameters<typeof planFor>[3]> = { exactMetadata: false }
  const recorded = () => readRecorded(db)
  await prepareCollections(db, registry)
  await fill(db)
  return {
    db,
    registry: () => registry,
    define: async (definitions) => {
      registry = createRegistryFrom(definitions, registry.version + 1)
      await prepareCollections(db, registry)
    },
    pass: (ms) => void (time += ms),
    instance: async ({ settings, ...options } = {}) => {
      const demands =
        options.demands ?? createObservedDemands({ now, minRequests: 100, minMs: 10_000 })
      const indexer = await startIndexer({
        ...{ db, log, registry: () => registry, demands, singleProcess: false },
        settings: {
          ...{ 'indexes.auto': 'on', 'indexes.perCollection': 8, 'indexes.unusedDays': 28 },
          ...{ 'indexes.maxBytes': 100_000_000, ...settings },
        },
        ...{ bounds: { minSavedMs: 500, minEntries: 1000 }, everyMs: 0, now, ...options },
      })
      open.push(indexer)
      const cache = createQueryCache()
      return {
        indexer,
        demands,
        ask: (query, times, uid = note) => {
          for (let count = 0; count < times; count += 1) {
            if (count === 1) time += 20_000
            demands.note(planFor(registry, typeOf(registry, uid), query, list, cache))
          }
        },
      }
    },
    made: async (collection = 'notes') => {
      const all = await db.collection(collection).listIndexes().toArray()
      const names = all.map(({ name }) => name as string)
      const declared = new Set(builtIn[collection])
      return names.filter((name) => !declared.has(name)).toSorted()
    },
    records: recorded,
    explain: (query, uid = note) => {
      const plan = planFor(registry, typeOf(registry, uid), query, list)
      const known = { registry, costThreshold: 1000, factsOf: undefined }
      return explainRead(plan, db, 'execution', { ...known, signal: undefined, meter: undefined })
    },
    answer: (query) => readText(registry, inlineExecutor(db), typeOf(registry, note), query),
    events: () => lines.flatMap((line) => (JSON.parse(line) as { event?: string }).event ?? []),
    clear: async () => {
      for (const indexer of open.splice(0)) await indexer.stop()
      await db.collection('_indexes').deleteMany({})
      await db.collection('_settings').deleteMany({})
      registry = createRegistryFrom(definitionsOf(noteAttributes), 1)
      await prepareCollections(db, registry)
      lines.length = 0
    },
    stop: async () => {
      for (const indexer of open.splice(0)) await indexer.stop()
      await client.close()
    },
  }
}

const references = (field: string) => `quire_${field}.documentId+${field}.order+locale`

const builtIn: Readonly<Record<string, readonly string[]>> = {
  notes: [
    ...['_id_', 'quire_documentId+locale:unique', 'quire_locale+_id'],
    ...['author', 'editor', 'tags'].map(references),
  ],
  authors: ['_id_', 'quire_documentId+locale:unique'],
}

/** Inserts entries whose values are distributed like those of a real site. */
async function fill(db: Db): Promise<void> {
  const kinds = ['essay', 'report', 'guide', 'review']
  let seed = 7
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * most)
  }
  const at = new Date(Date.UTC(2029, 0, 1))
  const common = { createdAt: at, updatedAt: at, publishedAt: at, createdBy: null, updatedBy: null }
  const stored = (index: number, name: string) => ({
    ...{ _id: index, documentId: `${name}${index}`, ...common, _revision: 1, _stamps: {} },
  })
  const reference = () => ({ documentId: `author${random(sizes.authors)}`, order: random(1e6) })
  await db.collection<{ _id: number }>('authors').insertMany(
    Array.from({ length: sizes.authors }, (_, index) => ({
      ...{ ...stored(index, 'author'), locale: null },
      ...{ name: `Name ${index}`, city: `City ${random(300)}` },
    })),
  )
  await db.collection<{ _id: number }>('notes').insertMany(
    Array.from({ length: sizes.notes }, (_, index) => ({
      ...{ ...stored(index, 'note'), locale: index % 10 === 9 ? 'fr' : 'en' },
      ...{ title: `Title ${random(1000)}`, body: 'a '.repeat(400), long: 'b '.repeat(50) },
      ...{ kind: kinds[random(4)], featured: random(4) === 0, rank: random(500) },
      ...{ likes: random(3000), meta: { n: random(9) }, seo: { id: index, score: random(200) } },
      publishedOn: new Date(Date.UTC(2020, 0, 1 + random(2000))).toISOString().slice(0, 10),
      ...{ author: reference(), editor: reference(), tags: [reference(), reference()] },
    })),
  )
}
