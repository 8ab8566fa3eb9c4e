import type { Db, FindCursor } from 'mongodb'
import { chunksOf } from '../values/batches.js'

/** Kinds of inconsistencies that a repair finds. */
type FindingKind =
  | 'published-without-draft'
  | 'withdrawn'
  /** A publish that was interrupted before it updated the published entries on the owning side of inverse relations. */
  | 'unfinished-publish'
  /** A document with different values in an attribute that all its locales share. */
  | 'locales-differ'
  /** A target of two entries in an exclusive relation. Only the entry that connected it last should keep it. */
  | 'two-owners'
  | 'missing-target'
  | 'without-locale'
  | 'references-differ'
  /** A version whose stored list of unique values does not match its components. */
  | 'uniques-differ'
  | 'unmarked'

export type Finding = Readonly<{
  kind: FindingKind
  collection: string
  /** For `missing-target`, the documentId of the missing document. */
  documentId: string
  /** False if the repair only reports, or if it failed. */
  repaired: boolean
}>

/** Options and state of a running repair. */
export type Repairing = Readonly<{
  db: Db
  repairs: boolean
  found: (finding: Finding) => void
  /**
   * documentIds of documents that this repair has found, by collection. If such a document is deleted later, the delete
   * itself removes the references to it.
   */
  seen: Map<string, Set<string>>
  /** Called between batches; throws to stop the repair. */
  pause: () => Promise<void>
}>

/** Limits a check to some documents; empty = all. */
export type DocumentFilter = Readonly<{ documentId?: Readonly<{ $in: string[] }> }>

const batchSize = 500
const maxRemembered = 100_000

/** Yields the documents of a cursor in batches, to limit memory. Waits for `pause` between batches. */
export async function* batches<T>(
  cursor: FindCursor<T>,
  { pause }: Repairing,
): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  for await (const document of cursor.batchSize(batchSize)) {
    batch.push(document)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
    await pause()
  }
  if (batch.length > 0) yield batch
}

/** Adds a key to a set, and returns whether it is new. Empties the set at 100,000 keys first, to limit memory. */
export function isNew(reported: Set<string>, key: string): boolean {
  if (reported.has(key)) return false
  if (reported.size >= maxRemembered) reported.clear()
  reported.add(key)
  return true
}

/** Splits a list into batches. */
export const chunks = <T>(list: readonly T[]): Generator<readonly T[]> => chunksOf(list, batchSize)
