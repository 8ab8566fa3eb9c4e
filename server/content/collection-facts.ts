import type { Db } from 'mongodb'
import type { CollectionFacts, FactsOf } from '../../engine/read.js'
import type { CollectionSample } from '../../engine/read/execute/sample-collection.js'
import { sampleCollection } from '../../engine/read/execute/sample-collection.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Index } from '../../engine/schema/index-list.js'
import { fieldsBehindLocale, indexList } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'
import { monotonicNow } from '../../engine/monotonic-now.js'

/** Milliseconds after which the size of a collection is read again. */
const believedMs = 5_000
/**
 * Milliseconds after which a sample is taken again. If the size of the collection doubles or halves, that happens
 * earlier.
 */
const sampleBelievedMs = 600_000

type Known = {
  entries: number
  requestedAt: number
  sample: CollectionSample | undefined
  sampledAt: number
  /** Number of entries when the sample was taken. */
  sampledEntries: number
}

/** Automatic indexes by collection. A change creates a new map. */
type MadeIndexes = ReadonlyMap<string, readonly Index[]>

const none: MadeIndexes = new Map()

/**
 * Returns the facts about collections from which the cost of reads is estimated. Never waits: unknown or outdated facts
 * are read in the background, for later requests. Samples only one collection at a time.
 */
export function createCollectionFacts(
  db: Db,
  registry: () => Registry,
  made: () => MadeIndexes = () => none,
): FactsOf {
  const known = new Map<string, Known>()
  let indexes: Readonly<{ of: Registry; made: MadeIndexes; indexed: Indexed }> | undefined
  let sampling: Promise<void> = Promise.resolve()
  const refresh = async (collection: string, paths: readonly string[]): Promise<void> => {
    const facts = known.get(collection)
    if (facts === undefined) return
    facts.entries = await db.collection(collection).estimatedDocumentCount({ maxTimeMS: 1000 })
    if (!isDue(facts)) return
    sampling = sampling.then(() => takeSample(db, collection, paths, facts))
    await sampling
  }
  return (collection) => {
    const current = registry()
    const more = made()
    if (indexes?.of !== current || indexes.made !== more)
      indexes = { of: current, made: more, indexed: indexesOf(current, more) }
    const own = indexes.indexed.get(collection) ?? nothing
    const facts = known.get(collection) ?? unknown()
    known.set(collection, facts)
    const now = monotonicNow()
    if (now - facts.requestedAt >= believedMs) {
      facts.requestedAt = now
      // Ignore the error: if the database is unreachable, the request fails anyway.
      refresh(collection, own.leading).catch(() => undefined)
    }
    return { entries: facts.entries, indexes: own.indexes, sample: facts.sample }
  }
}

const unknown = (): Known => ({
  entries: 0,
  requestedAt: -Infinity,
  sample: undefined,
  sampledAt: -Infinity,
  sampledEntries: 0,
})

function isDue({ entries, sampledAt, sampledEntries }: Known): boolean {
  const isOld = monotonicNow() - sampledAt >= sampleBelievedMs
  return isOld || entries > 2 * sampledEntries || entries < sampledEntries / 2
}

/** Never rejects. After a failure, the previous sample stays in use. */
async function takeSample(
  db: Db,
  collection: string,
  paths: readonly string[],
  facts: Known,
): Promise<void> {
  const { entries } = facts
  try {
    facts.sample = (await sampleCollection(db, collection, paths)) ?? undefined
    facts.sampledAt = monotonicNow()
    facts.sampledEntries = entries
  } catch {
    // The collection is sampled again the next time that its size is read.
  }
}

/** `leading` lists the paths to sample: first fields of indexes, and stored references. */
type Indexes = Readonly<{ indexes: CollectionFacts['indexes']; leading: readonly string[] }>
type Indexed = ReadonlyMap<string, Indexes>

const nothing: Indexes = { indexes: [], leading: [] }

function indexesOf({ contentTypes }: Registry, made: MadeIndexes): Indexed {
  const lists = [...contentTypes.values()].flatMap((type) => {
    const listed = listedPaths(type)
    return indexList(type).map((list) => ({ ...list, listed }))
  })
  return new Map(
    lists.map(({ collection, indexes, listed }) => {
      const facts = [...indexes, ...(made.get(collection) ?? [])].map((index) => ({
        fields: fieldsBehindLocale(index),
        isWhole: index.partial === undefined,
        isUnique: index.unique,
      }))
      const leading = new Set([...facts.flatMap(({ fields }) => fields[0] ?? []), ...listed])
      return [collection, { indexes: facts, leading: [...leading].filter((it) => !keys.has(it)) }]
    }),
  )
}

/** Returns the paths of stored references, which are sampled because queries can find entries by their targets. */
function listedPaths({ attributes }: ContentType): readonly string[] {
  return [...attributes.values()].flatMap((attribute) =>
    attribute.type === 'media' || (attribute.type === 'relation' && attribute.listed === true)
      ? [`${attribute.storedAs}.documentId`]
      : [],
  )
}

/** Paths with unique values, so they need no sample. */
const keys = new Set(['_id', 'documentId'])
