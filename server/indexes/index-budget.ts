import type { Db, IndexDescriptionInfo } from 'mongodb'
import { listIndexes } from '../../engine/database/ensure-indexes.js'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { isWanted } from '../../engine/database/recorded-indexes.js'
import type { Index } from '../../engine/schema/index-list.js'

/** Values of the setting `indexes.auto`. */
export type IndexMode = 'on' | 'advise' | 'off'

/** Limits of the indexes that Quire creates for frequent queries, although no definition declares them. */
export type IndexBudget = Readonly<{
  /** Maximum number of automatic indexes of one collection. */
  perCollection: number
  /** Maximum size of all automatic indexes together, in bytes. */
  bytes: number
}>

/** MongoDB allows 64 indexes per collection. Eight of them are reserved for future definitions. */
const mostOfCollection = 64 - 8

/**
 * Returns the existing indexes that can serve filters and sorts. Omits sparse and special ones, such as text indexes.
 */
export async function existingIndexes(db: Db, collection: string): Promise<readonly Index[]> {
  return (await listIndexes(db, collection)).flatMap((found) => toIndex(found) ?? [])
}

function toIndex(found: IndexDescriptionInfo): Index | undefined {
  const { name = '', key, unique = false, sparse = false } = found
  const keys = Object.entries(key)
  const isPlain = !sparse && keys.every(([, direction]) => direction === 1 || direction === -1)
  if (!isPlain) return undefined
  const descending = keys.filter(([, direction]) => direction === -1).map(([field]) => field)
  const fields = keys.map(([field]) => field)
  const filter: unknown = found['partialFilterExpression']
  return {
    name,
    fields,
    unique,
    descending,
    partial: filter === undefined ? undefined : { field: fields[0] ?? '', least: '' },
  }
}

/** Returns why the limits do not allow another index; undefined if they do. */
export function budgetShortage(
  { perCollection, bytes }: IndexBudget,
  {
    collection,
    existing,
    records,
    size,
  }: Readonly<{
    collection: string
    existing: number
    records: readonly RecordedIndex[]
    /** Estimated bytes of the new index. */
    size: number
  }>,
): string | undefined {
  const wanted = records.filter(isWanted)
  const own = wanted.filter((record) => record.collection === collection).length
  if (own >= perCollection) return `${own} were created for this collection (indexes.perCollection)`
  if (existing >= mostOfCollection) return `the collection has ${existing} indexes`
  const used = wanted.reduce((sum, record) => sum + (record.bytes ?? 0), 0)
  if (used + size > bytes)
    return `together with those that exist, it would take ${used + size} bytes (indexes.maxBytes)`
  return undefined
}

/** Returns the bytes of each index of a collection, by name. */
export async function indexSizes(
  db: Db,
  collection: string,
): Promise<Readonly<Record<string, number>>> {
  const [found] = await db
    .collection(collection)
    .aggregate([{ $collStats: { storageStats: {} } }, { $project: sizes }], { maxTimeMS: 5000 })
    .toArray()
  return (found?.['sizes'] ?? {}) as Record<string, number>
}

const sizes = { sizes: '$storageStats.indexSizes' } as const
