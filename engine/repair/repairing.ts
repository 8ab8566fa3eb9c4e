import type { Db, FindCursor } from 'mongodb'
import { chunksOf } from '../values/batches.js'

/** What a write that was cut off can leave behind. */
type FindingKind =
  /** A published version whose draft was deleted. */
  | 'published-without-draft'
  /** A published version that was withdrawn in its draft. */
  | 'withdrawn'
  /** A publish that has not reached the entries which own the document's relations. */
  | 'unfinished-publish'
  /** Values that all locales share, and that one of them has not got. */
  | 'locales-differ'
  /** An entry that has a target of an exclusive list which another one connected later. */
  | 'two-owners'
  /** References to a document that is gone. */
  | 'missing-target'
  /** A version in a locale that there is not. */
  | 'without-locale'
  /** A version whose list of references is not what its content says. */
  | 'references-differ'
  /** A version whose list of unique values in components is not what its content says. */
  | 'uniques-differ'
  /** A draft that is modified and not marked. */
  | 'unmarked'

export type Finding = Readonly<{
  kind: FindingKind
  collection: string
  /** Of the entry; of the document that is gone for `missing-target`. */
  documentId: string
  /** False where it was only looked at, or could not be mended. */
  repaired: boolean
}>

/** A repair while it runs. */
export type Repairing = Readonly<{
  db: Db
  /** False = look only. */
  mends: boolean
  found: (finding: Finding) => void
  /**
   * documentIds that were seen in each collection since the repair began. Who deletes one of them after
   * that also takes it out of the relations to it.
   */
  seen: Map<string, Set<string>>
  /** Called between batches; throws where the repair is to stop. */
  pause: () => Promise<void>
}>

/** Documents that are looked at, whatever the content is; absent = all. */
export type Only = Readonly<{ documentId?: Readonly<{ $in: string[] }> }>

const batchSize = 500
const maxRemembered = 100_000

/** What a cursor yields in lists of at most 500, so that a repair holds little of a large collection. */
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

/** Whether a key is new, from now on it is not; what is long ago is forgotten, so that a repair remembers little. */
export function isNew(told: Set<string>, key: string): boolean {
  if (told.has(key)) return false
  if (told.size >= maxRemembered) told.clear()
  told.add(key)
  return true
}

/** Lists of a longer list. */
export const chunks = <T>(list: readonly T[]): Generator<readonly T[]> => chunksOf(list, batchSize)
