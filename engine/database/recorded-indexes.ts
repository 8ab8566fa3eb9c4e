import type { Collection, Db } from 'mongodb'
import { isIndexable } from '../schema/indexable-paths.js'
import type { Index } from '../schema/index-list.js'
import { plainIndex } from '../schema/index-list.js'
import type { ContentType } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'

/**
 * An index that no definition asks for: one that was made because of what is asked, or that would be worth it. A
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
  /** Of the definitions with which it was thought of: those of before do not know whether it is needed. */
  version: number
  /** `advised`: not made. `building`: about to be made, perhaps by a process that has ended since. */
  state: 'advised' | 'building' | 'made' | 'failed'
  /** What an admin decided; null: nothing. */
  choice: IndexChoice | null
  /** What it is for: the shapes of queries, the most frequent first. */
  serves: readonly ServedShape[]
  /** By estimate, of about a day: how many reads it serves, and the time of the database that it saves and costs. */
  reads: number
  savedMs: number
  writeMs: number
  /** When it was last found to be worth it. */
  advisedAt: Date
  madeAt?: Date
  /** How long it took to be made. */
  buildMs?: number
  bytes?: number
  /** When a read was last found that it serves. */
  usedAt?: Date
  /** When it was last looked whether it is used, and for how long it was found not to be. */
  lookedAt?: Date
  idleMs?: number
  /** How often making it was begun and not finished. */
  attempts: number
  /** Why it is not made, or not yet. */
  failure?: string | undefined
  failedAt?: Date
}>

/** What a query asks for, in stored paths; `-` before one that is sorted from the last value. */
export type ServedShape = Readonly<{
  equal: readonly string[]
  ranges: readonly string[]
  sort: readonly string[]
  /** Whether its total was asked for. */
  counted: boolean
}>

/** `pinned`: it is made, and stays however little it is used. `forbidden`: it goes, and is not made. */
export type IndexChoice = 'pinned' | 'forbidden'

/** More are not kept: those that were advised longest ago go. */
const mostRecords = 500

export const recordedIndexes = (db: Db): Collection<RecordedIndex> =>
  db.collection<RecordedIndex>('_indexes')

export async function readRecorded(db: Db): Promise<readonly RecordedIndex[]> {
  return recordedIndexes(db).find().sort({ savedMs: -1, _id: 1 }).limit(mostRecords).toArray()
}

/** As the database makes it. */
export const indexOf = ({ fields, descending }: RecordedIndex): Index =>
  plainIndex(fields, descending)

/** Whether it is one of those that should be there, beside what definitions ask for. */
export function isWanted({ state, choice }: RecordedIndex): boolean {
  return choice !== 'forbidden' && (state === 'made' || state === 'building')
}

/** Whether all its paths are such as the definitions of a type let be indexed together. */
export function fitsType(
  { fields }: Pick<RecordedIndex, 'fields'>,
  type: ContentType,
  registry: Pick<Registry, 'components'>,
): boolean {
  return isIndexable(fields, type, registry)
}
