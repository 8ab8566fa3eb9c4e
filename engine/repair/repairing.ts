import type { Db, FindCursor } from 'mongodb'
import { chunksOf } from '../values/batches.js'

/** Kinds of inconsistencies that a repair finds. Most of them result from interrupted writes. */
type FindingKind =
  /** A published version whose draft was deleted. */
  | 'published-without-draft'
  /** A published version whose draft was unpublished. */
  | 'withdrawn'
  /**
   * An interrupted publish: the published entries on the owning side of the document's inverse relations have not been
   * updated yet.
   */
  | 'unfinished-publish'
  /** A document whose locales have different values in an attribute that all locales share. */
  | 'locales-differ'
  /** A target that two entries store in an exclusive relation. Only the entry that connected it last should keep it. */
  | 'two-owners'
  /** References to a missing document. */
  | 'missing-target'
  /** A version in a locale that is not configured. */
  | 'without-locale'
  /** A version whose stored list of references does not match its content. */
  | 'references-differ'
  /** A version whose stored list of unique values does not match the values in its components. */
  | 'uniques-differ'
  /** A modified draft that is not marked as modified. */
  | 'unmarked'

export type Finding = Readonly<{
  kind: FindingKind
  collection: string
  /** documentId of the inconsistent entry. For `missing-target`: of the missing document. */
  documentId: string
  /** False if the repair only reports, or if it failed. */
  repaired: boolean
}>

/** Options and state of a running repair. */
export type Repairing = Readonly<{
  db: Db
  /** False = only report. */
  repairs: boolean
  found: (finding: Finding) => void
  /**
   * documentIds of existing documents that this repair has already looked up, by collection. They need not be looked up
   * again: if such a document is deleted later, the delete itself removes the references to it.
   */
  seen: Map<string, Set<string>>
  /** Called between batches; throws to stop the repair. */
  pause: () => Promise<void>
}>

/** Filter that limits a check to some documents; an empty filter checks all. */
export type DocumentFilter = Readonly<{ documentId?: Readonly<{ $in: string[] }> }>

const batchSize = 500
const maxRemembered = 100_000

/** Yields the documents of a cursor in batches of at most 500, to limit memory. Waits for `pause` between batches. */
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

/**
 * Adds a key to a set. Returns false if the set already contained it. A set with 100,000 keys is emptied first, to
 * limit memory.
 */
export function isNew(reported: Set<string>, key: string): boolean {
  if (reported.has(key)) return false
  if (reported.size >= maxRemembered) reported.clear()
  reported.add(key)
  return true
}

/** Splits a list into batches of at most 500 members. */
export const chunks = <T>(list: readonly T[]): Generator<readonly T[]> => chunksOf(list, batchSize)
