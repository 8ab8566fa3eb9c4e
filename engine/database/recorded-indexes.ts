import type { Collection, Db } from 'mongodb'
import type { Index } from '../schema/index-list.js'
import { plainIndex } from '../schema/index-list.js'

/**
 * An index that no definition requires, but that speeds up observed queries, or would speed them up if it were created
 * (docs/internals/storage.md, "Automatic indexes").
 */
export type RecordedIndex = Readonly<{
  /** Hash of `collection` and `name`. */
  _id: string
  collection: string
  uid: string
  name: string
  fields: readonly string[]
  descending: readonly string[]
  /**
   * Version of the definitions when the index was recommended. An instance with earlier definitions cannot decide about
   * it.
   */
  version: number
  /** `advised`: not created. `building`: being created, or left unfinished by a process that has ended. */
  state: 'advised' | 'building' | 'made' | 'failed'
  /** An admin's decision about the index; null if there is none. */
  choice: IndexChoice | null
  /** The queries that the index serves, the most frequent first. */
  serves: readonly ServedShape[]
  /**
   * Estimates for about one day: how many reads use the index, how much database time it saves, and how much it costs
   * to maintain.
   */
  reads: number
  savedMs: number
  writeMs: number
  /** When the index was last estimated to save more than it costs. */
  advisedAt: Date
  madeAt?: Date | undefined
  buildMs?: number
  bytes?: number
  /** When a check last found that reads use the index. */
  usedAt?: Date | undefined
  /** Time of the last check for use. `idleMs` is the time for which all checks so far have found the index unused. */
  lookedAt?: Date
  idleMs?: number
  /** Number of builds that were started but not completed. */
  attempts: number
  /** Why the index was not created, or why it is not created yet. */
  failure?: string | undefined
  failedAt?: Date | undefined
}>

/** The attributes by which a query filters and sorts, as paths in stored documents. `-` marks descending order. */
type ServedShape = Readonly<{
  equal: readonly string[]
  ranges: readonly string[]
  sort: readonly string[]
  /** Whether the query requests the total. */
  counted: boolean
}>

/** `pinned`: created, and kept even if unused. `forbidden`: dropped, and never created. */
export type IndexChoice = 'pinned' | 'forbidden'

/** Maximum number of records to read. Those of the indexes that save the least time are skipped. */
const mostRecords = 500

export const recordedIndexes = (db: Db): Collection<RecordedIndex> =>
  db.collection<RecordedIndex>('_indexes')

export async function readRecorded(db: Db): Promise<readonly RecordedIndex[]> {
  return recordedIndexes(db).find().sort({ savedMs: -1, _id: 1 }).limit(mostRecords).toArray()
}

/** Converts a recorded index for `createIndexes`. */
export const indexOf = ({ fields, descending }: RecordedIndex): Index =>
  plainIndex(fields, descending)

/** An index that was created. */
export type MadeIndex = RecordedIndex &
  Readonly<{ state: 'made'; madeAt: Date; usedAt: Date; lookedAt: Date; idleMs: number }>

export const isMade = (record: RecordedIndex): record is MadeIndex => record.state === 'made'

/** Whether a recorded index should exist, in addition to the indexes that definitions require. */
export function isWanted({ state, choice }: RecordedIndex): boolean {
  return choice !== 'forbidden' && (state === 'made' || state === 'building')
}
