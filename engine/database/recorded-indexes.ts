import type { Collection, Db } from 'mongodb'
import { isIndexable } from '../schema/indexable-paths.js'
import type { Index } from '../schema/index-list.js'
import { plainIndex } from '../schema/index-list.js'
import type { ContentType } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'

/**
 * An index that no definition needs: it was created for the queries that are sent, or would be worth creating. A
 * document of `_indexes` (docs/storage.md, "Indexes that nobody asked for").
 */
export type RecordedIndex = Readonly<{
  /** Made of the collection and the name. */
  _id: string
  collection: string
  /** Of the content-type. */
  uid: string
  name: string
  fields: readonly string[]
  descending: readonly string[]
  /** Version of the definitions when it was advised. Earlier definitions cannot tell whether it is needed. */
  version: number
  /** `advised`: not created. `building`: about to be created, perhaps by a process that has ended since. */
  state: 'advised' | 'building' | 'made' | 'failed'
  /** Decision of an admin; null: none. */
  choice: IndexChoice | null
  /** The queries that it serves, the most frequent first. */
  serves: readonly ServedShape[]
  /** Estimates for about a day: how many reads it serves, and how much database time it saves and costs. */
  reads: number
  savedMs: number
  writeMs: number
  /** When it was last found to be worth its cost. */
  advisedAt: Date
  madeAt?: Date
  /** Duration of its creation. */
  buildMs?: number
  bytes?: number
  /** When it was last seen that it serves a read. */
  usedAt?: Date
  /** When its use was last checked, and for how long it has been unused. */
  lookedAt?: Date
  idleMs?: number
  /** How often its creation was started without finishing. */
  attempts: number
  /** Why it is not created, or not yet. */
  failure?: string | undefined
  failedAt?: Date
}>

/** Form of a query, in stored paths. `-` marks descending order. */
export type ServedShape = Readonly<{
  equal: readonly string[]
  ranges: readonly string[]
  sort: readonly string[]
  /** Whether its total is requested. */
  counted: boolean
}>

/** `pinned`: it is created, and stays even if unused. `forbidden`: it is dropped, and never created. */
export type IndexChoice = 'pinned' | 'forbidden'

/** Limit for the records that are read. The ones that save least are left out. */
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
