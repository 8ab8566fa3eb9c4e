import type { Db, FindCursor } from 'mongodb'
import { chunksOf } from '../values/batches.js'

/** Kinds of inconsistencies that a repair finds, most of them left by interrupted writes. */
type FindingKind =
  /** A published version whose draft was deleted. */
  | 'published-without-draft'
  /** A published version that its draft marks as unpublished. */
  | 'withdrawn'
  /** A publish that has not updated the entries that own the document's inverse relations. */
  | 'unfinished-publish'
  /** Values that all locales should share, but that differ in one of them. */
  | 'locales-differ'
  /** A target that two entries have in an exclusive list. The entry that connected it earlier should have lost it. */
  | 'two-owners'
  /** References to a missing document. */
  | 'missing-target'
  /** A version in a locale that does not exist. */
  | 'without-locale'
  /** A version whose list of references does not match its content. */
  | 'references-differ'
  /** A version whose list of unique values in components does not match its content. */
  | 'uniques-differ'
  /** A modified draft without its mark. */
  | 'unmarked'

export type Finding = Readonly<{
  kind: FindingKind
  collection: string
  /** documentId of the entry; for `missing-target`, of the missing document. */
  documentId: string
  /** False if the repair only reports, or if it failed. */
  repaired: boolean
}>

/** A running repair. */
export type Repairing = Readonly<{
  db: Db
  /** False = only report. */
  repairs: boolean
  found: (finding: Finding) => void
  /**
   * documentIds found in each collection since the repair began. They need no second look-up: a later delete of such a
   * document also removes the references to it.
   */
  seen: Map<string, Set<string>>
  /** Called between batches; throws to stop the repair. */
  pause: () => Promise<void>
}>

/** Filter for the documents to check, independent of their content; absent = all. */
export type Only = Readonly<{ documentId?: Readonly<{ $in: string[] }> }>

const batchSize = 500
const maxRemembered = 100_000

/**
 * Yields the documents of a cursor in lists of at most 500, so that a repair holds little of a large collection in
 * memory.
 */
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

/** Returns whether a key is new, and remembers it. Forgets all keys once they are too many. */
export function isNew(reported: Set<string>, key: string): boolean {
  if (reported.has(key)) return false
  if (reported.size >= maxRemembered) reported.clear()
  reported.add(key)
  return true
}

/** Splits a list into batches. */
export const chunks = <T>(list: readonly T[]): Generator<readonly T[]> => chunksOf(list, batchSize)
