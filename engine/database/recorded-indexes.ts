import type { Collection, Db } from 'mongodb'
import { isIndexable } from '../schema/indexable-paths.js'
import type { Index } from '../schema/index-list.js'
import { plainIndex } from '../schema/index-list.js'
import type { ContentType } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'

/**
 * An index that no definition requires, but that would speed up observed queries. It may exist or only be recommended.
 * Stored as a document of `_indexes` (docs/storage.md, "Indexes that nobody asked for").
 */
export type RecordedIndex = Readonly<{
  /** Concatenation of `collection` and `name`. */
  _id: string
  collection: string
  /** uid of the content-type. */
  uid: string
  name: string
  fields: readonly string[]
  descending: readonly string[]
  /**
   * Version of the definitions when the index was recommended. An instance with earlier definitions cannot decide
   * whether the index is needed.
   */
  version: number
  /**
   * `advised`: recommended, but not created. `building`: being created, or left unfinished by a process that has ended.
   */
  state: 'advised' | 'building' | 'made' | 'failed'
  /** An admin's decision about the index; null if there is none. */
  choice: IndexChoice | null
  /** The queries that the index serves, the most frequent first. */
  serves: readonly ServedShape[]
  /**
   * Estimates for about a day: `reads` is the number of reads that the index serves, `savedMs` and `writeMs` are the
   * database time that it saves and costs.
   */
  reads: number
  savedMs: number
  writeMs: number
  /** When the index was last found to be worth its cost. */
  advisedAt: Date
  madeAt?: Date
  /** Duration of the index build. */
  buildMs?: number
  bytes?: number
  /** When the index was last seen to serve a read. */
  usedAt?: Date
  /** When the use of the index was last checked. `idleMs`: for how long it has been unused. */
  lookedAt?: Date
  idleMs?: number
  /** Number of index builds that were started but did not finish. */
  attempts: number
  /** Why the index is not created, or not yet. */
  failure?: string | undefined
  failedAt?: Date
}>

/** Form of a query, in stored paths. `-` marks descending order. */
export type ServedShape = Readonly<{
  equal: readonly string[]
  ranges: readonly string[]
  sort: readonly string[]
  /** Whether the query requests the total. */
  counted: boolean
}>

/** `pinned`: the index is created, and stays even if unused. `forbidden`: the index is dropped, and never created. */
export type IndexChoice = 'pinned' | 'forbidden'

/** Maximum number of records that are read. Records that save the least time are left out. */
const mostRecords = 500

export const recordedIndexes = (db: Db): Collection<RecordedIndex> =>
  db.collection<RecordedIndex>('_indexes')

export async function readRecorded(db: Db): Promise<readonly RecordedIndex[]> {
  return recordedIndexes(db).find().sort({ savedMs: -1, _id: 1 }).limit(mostRecords).toArray()
}

/** Returns the index as the database creates it. */
export const indexOf = ({ fields, descending }: RecordedIndex): Index =>
  plainIndex(fields, descending)

/** Whether the index should exist in addition to those that definitions need. */
export function isWanted({ state, choice }: RecordedIndex): boolean {
  return choice !== 'forbidden' && (state === 'made' || state === 'building')
}

/** Whether the definitions of a type allow to index all its paths together. */
export function fitsType(
  { fields }: Pick<RecordedIndex, 'fields'>,
  type: ContentType,
  registry: Pick<Registry, 'components'>,
): boolean {
  return isIndexable(fields, type, registry)
}
