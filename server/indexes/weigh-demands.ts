import type { Db } from 'mongodb'
import type { CollectionSample } from '../../engine/read/execute/sample-collection.js'
import { sampleCollection } from '../../engine/read/execute/sample-collection.js'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import type { Spread } from '../../engine/indexing/index-cost.js'
import type { Advice, ObservedDemand } from '../../engine/indexing/rank-indexes.js'
import {
  costNow,
  costOfBuild,
  rankIndexes,
  spent,
  unitsOfMs,
} from '../../engine/indexing/rank-indexes.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { collectionsOf } from '../../engine/schema/content-type.js'
import { isIndexable } from '../../engine/schema/indexable-paths.js'
import type { Index } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'
import { existingIndexes } from './index-budget.js'
import type { ObservedDemands } from './observed-demands.js'

/** A recommended index. */
export type Weighed = Advice &
  Readonly<{
    uid: string
    /** Estimated bytes of the index. */
    bytes: number
  }>

export type Weigher = Readonly<{
  /** Returns the recommended indexes of all collections, best first. */
  weigh: (registry: Registry, records: readonly RecordedIndex[]) => Promise<readonly Weighed[]>
  /** Returns whether each observed query would cost at most 5 % more without this automatic index. */
  isSuperseded: (record: RecordedIndex) => Promise<boolean>
}>

export type WeighingBounds = Readonly<{
  /** Database time, in ms, that an index must save in about a day. */
  minSavedMs: number
  /** Minimum number of entries in a collection. Smaller collections are scanned fast enough without an index. */
  minEntries: number
}>

/** Maximum number of indexes that are recommended for one collection at once. */
const mostAtOnce = 8
/** Maximum average size, in bytes, of the values of a field. Larger fields are not indexed. */
const longest = 200
/** Assumed share of entries with a given value, if the sample does not show the share. */
const assumedShare = 0.1
const sampleBelievedMs = 600_000
/** Bytes of an index entry besides its values: the document's key, and overhead. */
const around = 12

type Sampled = Readonly<{
  at: number
  paths: ReadonlySet<string>
  entries: number
  sample: CollectionSample | null
}>

/**
 * Creates a weigher, which compares what indexes would save with what they cost. It reuses the sample of a collection
 * for ten minutes.
 */
export function createWeigher(
  db: Db,
  demands: ObservedDemands,
  { minSavedMs, minEntries, now }: WeighingBounds & Readonly<{ now: () => number }>,
): Weigher {
  const samples = new Map<string, Sampled>()
  const sampleOf = async (collection: string, paths: ReadonlySet<string>): Promise<Sampled> => {
    const entries = await db.collection(collection).estimatedDocumentCount({ maxTimeMS: 1000 })
    const known = samples.get(collection)
    const isKnown =
      known !== undefined &&
      now() - known.at < sampleBelievedMs &&
      entries <= 2 * known.entries &&
      [...paths].every((path) => known.paths.has(path))
    if (isKnown) return { ...known, entries }
    const sample = entries < minEntries ? null : await sampleCollection(db, collection, [...paths])
    const taken = { at: now(), paths, entries, sample }
    samples.set(collection, taken)
    return taken
  }
  const weighCollection = async (
    type: ContentType,
    collection: string,
    observed: readonly ObservedDemand[],
    { registry, records }: Readonly<{ registry: Registry; records: readonly RecordedIndex[] }>,
  ): Promise<readonly Weighed[]> => {
    const sampled = await sampleOf(collection, pathsOf(observed))
    if (sampled.entries < minEntries) return []
    const spread = spreadOf(sampled)
    const existing = await existingIndexes(db, collection)
    const all = observed.reduce((sum, it) => sum + spent(it, costNow(it, existing, spread)), 0)
    if (all < minSavedMs * unitsOfMs) return []
    const barred = new Set(
      records
        .filter(({ choice, state }) => choice === 'forbidden' || state === 'failed')
        .map(({ collection, name }) => `${collection} ${name}`),
    )
    const isPossible = ({ fields, name }: Index): boolean =>
      !barred.has(`${collection} ${name}`) &&
      isIndexable(fields, type, registry) &&
      fields.every((field) => bytesAt(sampled, field) <= longest)
    const least = Math.max(minSavedMs * unitsOfMs, costOfBuild(sampled.entries))
    const writes = demands.writesTo(type.uid)
    const found: Weighed[] = []
    // Include the indexes found so far, because they may serve the same queries.
    while (found.length < mostAtOnce) {
      const there = [...existing, ...found.map(({ index }) => index)]
      const [best] = rankIndexes({
        collection,
        observed,
        existing: there,
        spread,
        writes,
        isPossible,
      })
      if (best === undefined || best.saved - best.upkeep < least) break
      found.push({ ...best, uid: type.uid, bytes: sizeOf(best.index, sampled) })
    }
    return found
  }
  return {
    weigh: async (registry, records) => {
      const all = demands.list()
      const found: Weighed[] = []
      for (const type of registry.contentTypes.values())
        for (const collection of collectionsOf(type)) {
          const observed = all.filter(({ demand }) => demand.collection === collection)
          if (!observed.some(({ isFrequent }) => isFrequent)) continue
          found.push(...(await weighCollection(type, collection, observed, { registry, records })))
        }
      return found.toSorted((a, b) => b.saved - b.upkeep - (a.saved - a.upkeep))
    },
    isSuperseded: async ({ collection, name }) => {
      const observed = demands.list().filter(({ demand }) => demand.collection === collection)
      const spread = spreadOf(await sampleOf(collection, pathsOf(observed)))
      const existing = await existingIndexes(db, collection)
      const others = existing.filter((index) => index.name !== name)
      return observed.every(
        (it) =>
          spent(it, costNow(it, others, spread)) <= spent(it, costNow(it, existing, spread)) * 1.05,
      )
    },
  }
}

const pathsOf = (observed: readonly ObservedDemand[]): ReadonlySet<string> =>
  new Set(observed.flatMap(({ demand }) => demand.equal).filter((path) => !unsampled.has(path)))

/** Paths that need no sample: their values are unique, or the same for nearly all entries. */
const unsampled: ReadonlySet<string> = new Set(['_id', 'documentId', 'locale'])

function spreadOf({ entries, sample }: Sampled): Spread {
  return {
    entries,
    shareOf: (path) => {
      if (path === 'locale') return 1
      if (path === '_id' || path === 'documentId') return 1 / Math.max(1, entries)
      return Math.min(1, sample?.values.get(path)?.usual ?? assumedShare)
    },
  }
}

/** Returns the size of a value in bytes; for a reference, that of its documentId. */
function bytesAt({ sample }: Sampled, path: string): number {
  if (path.endsWith('.documentId')) return referenceBytes
  const [field = '', ...rest] = path.split('.')
  // The sample does not show the size of values in a component.
  if (rest.length > 0) return componentBytes
  return sample?.fields.get(field)?.bytes ?? 8
}

const referenceBytes = 30
const componentBytes = 50

const sizeOf = ({ fields }: Index, sampled: Sampled): number =>
  sampled.entries * fields.reduce((sum, field) => sum + bytesAt(sampled, field), around)
