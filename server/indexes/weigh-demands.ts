import { hash } from 'node:crypto'
import type { Db } from 'mongodb'
import { listIndexes } from '../../engine/database/ensure-indexes.js'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { textOf } from '../../engine/indexing/demand.js'
import type { Spread } from '../../engine/indexing/index-cost.js'
import type { ObservedDemand } from '../../engine/indexing/rank-indexes.js'
import { costOfBuild, rankIndexes, spentNow, unitMs } from '../../engine/indexing/rank-indexes.js'
import type { CollectionSample } from '../../engine/read/execute/sample-collection.js'
import { sampleCollection } from '../../engine/read/execute/sample-collection.js'
import { collectionsOf, type ContentType } from '../../engine/schema/content-type.js'
import { isIndexable } from '../../engine/schema/indexable-paths.js'
import type { Index } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { ObservedDemands } from './observed-demands.js'

/** The record of a recommended index: what it serves, saves and costs, but not what became of it. */
export type Recommendation = Omit<RecordedIndex, 'state' | 'choice' | 'attempts'>

export type Weigher = ReturnType<typeof createWeigher>

export type WeigherOptions = Readonly<{
  db: Db
  registry: () => Registry
  demands: ObservedDemands
  /** Database time, in ms, that an index must save in about a day. */
  minSavedMs: number
  /** Minimum number of entries in a collection. Smaller collections are scanned fast enough without an index. */
  minEntries: number
  now: () => number
}>

/** Maximum number of indexes that are recommended for one collection at once. */
const mostAtOnce = 8
/** Maximum number of queries that the record of an index lists as served by it. */
const mostShapes = 5
/** Maximum average size, in bytes, of the values of a field. Larger fields are not indexed. */
const longest = 200
/** Assumed share of entries with a given value, if the sample does not show the share. */
const assumedShare = 0.1
const sampleBelievedMs = 600_000
/** Bytes of an index entry besides its values: the document's key, and overhead. */
const around = 12

type Sampled = Readonly<{
  at: number
  paths: readonly string[]
  entries: number
  sample: CollectionSample | null
}>

/**
 * Creates a weigher, which compares what indexes would save with what they cost. It reuses the sample of a collection
 * for ten minutes.
 */
export function createWeigher(options: WeigherOptions) {
  const { db, registry, demands, minSavedMs, minEntries, now } = options
  const samples = new Map<string, Sampled>()
  const observedIn = (collection: string): readonly ObservedDemand[] =>
    demands.list().filter(({ demand }) => demand.collection === collection)
  const sampleOf = async (
    collection: string,
    observed: readonly ObservedDemand[],
  ): Promise<Sampled> => {
    const equal = new Set(observed.flatMap(({ demand }) => demand.equal))
    const paths = [...equal].filter((path) => !unsampled.has(path))
    const entries = await db.collection(collection).estimatedDocumentCount({ maxTimeMS: 1000 })
    const known = samples.get(collection)
    const isKnown =
      known !== undefined &&
      now() - known.at < sampleBelievedMs &&
      entries <= 2 * known.entries &&
      paths.every((path) => known.paths.includes(path))
    if (isKnown) return { ...known, entries }
    const sample = entries < minEntries ? null : await sampleCollection(db, collection, paths)
    const taken = { at: now(), paths, entries, sample }
    samples.set(collection, taken)
    return taken
  }
  const weighCollection = async (
    type: ContentType,
    collection: string,
    records: readonly RecordedIndex[],
  ): Promise<readonly Recommendation[]> => {
    const observed = observedIn(collection)
    if (!observed.some(({ isFrequent }) => isFrequent)) return []
    const sampled = await sampleOf(collection, observed)
    if (sampled.entries < minEntries) return []
    const spread = spreadOf(sampled)
    const existing = [...(await existingIndexes(db, collection))]
    const spent = observed.reduce((sum, it) => sum + spentNow(it, existing, spread), 0)
    if (spent * unitMs < minSavedMs) return []
    const barred = records
      .filter((it) => it.collection === collection)
      .filter(({ choice, state }) => choice === 'forbidden' || state === 'failed')
      .map(({ name }) => name)
    const isPossible = ({ name, fields }: Index): boolean =>
      !barred.includes(name) &&
      isIndexable(fields, type, registry()) &&
      fields.every((field) => bytesAt(sampled, field) <= longest)
    const least = Math.max(minSavedMs / unitMs, costOfBuild(sampled.entries))
    const writes = demands.writesTo(type.uid)
    const found: Recommendation[] = []
    while (found.length < mostAtOnce) {
      const [best] = rankIndexes({ observed, existing, spread, writes, isPossible })
      if (best === undefined || best.saved - best.upkeep < least) break
      // The next index has to pay in addition to this one, because both may serve the same queries.
      existing.push(best.index)
      const { name, fields, descending = [] } = best.index
      found.push({
        _id: hash('sha1', `${collection}\n${name}`, 'hex').slice(0, 16),
        ...{ collection, uid: type.uid, name, fields, descending },
        version: registry().version,
        serves: shapesOf(best.serves),
        reads: Math.round(best.serves.reduce((sum, { requests }) => sum + requests, 0)),
        savedMs: Math.round(best.saved * unitMs),
        writeMs: Math.round(best.upkeep * unitMs),
        bytes: sampled.entries * fields.reduce((sum, it) => sum + bytesAt(sampled, it), around),
        advisedAt: new Date(now()),
      })
    }
    return found
  }
  return {
    /** Returns the recommended indexes of all collections, best first. */
    weigh: async (records: readonly RecordedIndex[]): Promise<readonly Recommendation[]> => {
      const found: Recommendation[] = []
      for (const type of registry().contentTypes.values())
        for (const collection of collectionsOf(type))
          found.push(...(await weighCollection(type, collection, records)))
      return found.toSorted((a, b) => b.savedMs - b.writeMs - (a.savedMs - a.writeMs))
    },
    /** Returns whether each observed query would cost at most 5 % more without this automatic index. */
    isSuperseded: async ({ collection, name }: RecordedIndex): Promise<boolean> => {
      const observed = observedIn(collection)
      const spread = spreadOf(await sampleOf(collection, observed))
      const existing = await existingIndexes(db, collection)
      const others = existing.filter((index) => index.name !== name)
      return observed.every(
        (it) => spentNow(it, others, spread) <= spentNow(it, existing, spread) * 1.05,
      )
    },
  }
}

/** Paths that need no sample: their values are unique, or the same for nearly all entries. */
const unsampled: ReadonlySet<string> = new Set(['_id', 'documentId', 'locale'])

/** Returns the distribution of values in a collection. Without a sample, it is only assumed. */
export function spreadOf({ entries, sample }: Pick<Sampled, 'entries' | 'sample'>): Spread {
  return {
    entries,
    shareOf: (path) => {
      if (path === 'locale') return 1
      if (path === '_id' || path === 'documentId') return 1 / Math.max(1, entries)
      return Math.min(1, sample?.values.get(path)?.usual ?? assumedShare)
    },
  }
}

/** Returns the existing indexes that can serve filters and sorts. Omits sparse and special ones (text indexes …). */
async function existingIndexes(db: Db, collection: string): Promise<readonly Index[]> {
  const found = await listIndexes(db, collection)
  return found.flatMap(({ name = '', key, unique = false, sparse = false, ...rest }) => {
    const keys = Object.entries(key)
    if (sparse || !keys.every(([, way]) => way === 1 || way === -1)) return []
    return {
      ...{ name, unique, fields: Object.keys(key) },
      descending: keys.filter(([, way]) => way === -1).map(([field]) => field),
      partial: rest['partialFilterExpression'] === undefined ? undefined : anyPartial,
    }
  })
}

/** Stands for any partial filter. Here, it matters only that the index may lack entries. */
const anyPartial = { field: '', least: '' }

/** Returns the size of a value in bytes; for a reference, that of its documentId. */
function bytesAt({ sample }: Sampled, path: string): number {
  if (path.endsWith('.documentId')) return referenceBytes
  // The sample does not show the size of values in a component.
  if (path.includes('.')) return componentBytes
  return sample?.fields.get(path)?.bytes ?? 8
}

const referenceBytes = 30
const componentBytes = 50

/** Returns the most frequent of the served queries, for the record of an index. */
function shapesOf(serves: readonly ObservedDemand[]): Recommendation['serves'] {
  return serves
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, mostShapes)
    .map(({ demand: { equal, ranges, sort }, counted }) => ({
      ...{ equal, ranges, sort: (sort ?? []).map(textOf) },
      counted: counted > 0,
    }))
}
