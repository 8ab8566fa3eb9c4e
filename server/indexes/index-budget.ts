import type { Db, IndexDescriptionInfo } from 'mongodb'
import { listIndexes } from '../../engine/database/ensure-indexes.js'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { isWanted } from '../../engine/database/recorded-indexes.js'
import type { Index } from '../../engine/schema/index-list.js'

/** What the setting `indexes.auto` says. */
export type IndexMode = 'on' | 'advise' | 'off'

/** How many indexes, and how large, may be made that no definition asks for. */
export type IndexBudget = Readonly<{
  /** Of one collection. */
  perCollection: number
  /** Of all of them. */
  bytes: number
}>

/** MongoDB has 64 of a collection; eight stay free for definitions that are still to come. */
const mostOfCollection = 64 - 8

/** What a collection has of indexes, as far as they may serve a plain query. */
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

/** Why there is no room for one more; undefined where there is. */
export function lackOfRoom(
  { perCollection, bytes }: IndexBudget,
  {
    collection,
    existing,
    records,
    size,
  }: Readonly<{
    collection: string
    /** How many indexes the collection has. */
    existing: number
    records: readonly RecordedIndex[]
    /** Of the one more, in bytes, by estimate. */
    size: number
  }>,
): string | undefined {
  const wanted = records.filter(isWanted)
  const own = wanted.filter((record) => record.collection === collection).length
  if (own >= perCollection) return `${own} were made for this collection (indexes.perCollection)`
  if (existing >= mostOfCollection) return `the collection has ${existing} indexes`
  const used = wanted.reduce((sum, record) => sum + (record.bytes ?? 0), 0)
  if (used + size > bytes)
    return `it would take ${used + size} bytes with those that were made (indexes.maxBytes)`
  return undefined
}

/** Bytes of each index of a collection, by its name. */
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
