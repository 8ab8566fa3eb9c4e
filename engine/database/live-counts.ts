import type { ClientSession, Db } from 'mongodb'
import { versionsOf } from './collection-versions.js'
import type { CountChange } from './written-documents.js'

/** Document counts per collection and locale, updated by each write (docs/internals/storage.md, "Totals"). */
export type LiveCounts = Readonly<{
  /**
   * Returns the number of documents, including all writes acknowledged to this process before the call. Returns `late`
   * if counting takes longer than `waitMs`, and undefined if the caller must count the documents itself. Concurrent
   * calls share one count, which continues even if their clients disconnect.
   */
  countOf: (
    collection: string,
    locales: readonly string[] | null,
    waitMs: number,
  ) => Promise<number | 'late' | undefined>
  stop: () => Promise<void>
}>

/** The key under which the number of all documents is stored. All other keys are locales. */
const everything = '*'

/** The counts of one collection by key, and those in progress. */
export type Counts = Readonly<{
  known: Map<string, number>
  counting: Map<string, Promise<unknown>>
}>

/**
 * Applies a change to known counts. If it is unknown which locales have changed, discards the count of each locale, but
 * not that of all documents.
 * @param isIn returns whether the count of a key already includes the change
 */
export function applyChange(
  known: Counts['known'],
  { by, byLocale }: Pick<CountChange, 'by' | 'byLocale'>,
  isIn: (key: string) => boolean = () => false,
): void {
  for (const [key, count] of [...known])
    if (isIn(key)) continue
    else if (key === everything) known.set(key, count + by)
    else if (byLocale === undefined) known.delete(key)
    else known.set(key, count + (byLocale.get(key) ?? 0))
}

/** Time limit for counting, in ms. */
export const maxTimeMS = 120_000

/** Counts all documents, or those of one locale, by scanning an index. */
export async function countNow(
  db: Db,
  collection: string,
  key: string,
  session?: ClientSession,
): Promise<number> {
  const isAll = key === everything
  const pipeline = [{ $match: isAll ? {} : { locale: key } }, { $count: 'total' }]
  // Without the hint, the database would fetch all documents instead of scanning the index of `_id`.
  const hint = isAll ? { hint: { _id: 1 } } : {}
  const options = { maxTimeMS, ...hint, ...(session === undefined ? {} : { session }) }
  const [row] = await db.collection(collection).aggregate(pipeline, options).toArray()
  return Number(row?.['total'] ?? 0)
}

/** Returns the value of a promise, or undefined if the promise rejects or takes longer than `ms` milliseconds. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms).unref()
  })
  try {
    return await Promise.race([promise, late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the sum of the counts of several locales, or the count of all documents. First calls `count` for each unknown
 * count, to add it to `known`. Returns undefined if a count is still unknown then, and `late` after `waitMs` ms.
 */
export async function sumOf(
  { known, counting }: Counts,
  locales: readonly string[] | null,
  waitMs: number,
  count: (key: string) => Promise<unknown>,
): Promise<number | 'late' | undefined> {
  const keys = locales ?? [everything]
  const counts = keys
    .filter((key) => !known.has(key))
    .map((key) => {
      const counted = counting.get(key) ?? count(key).finally(() => counting.delete(key))
      counting.set(key, counted)
      return counted
    })
  // A failed count has ended, too: its key stays unknown.
  const ended = counts.length === 0 || (await withTimeout(waitMs, Promise.allSettled(counts)))
  if (ended === undefined) return 'late'
  let sum = 0
  for (const key of keys) {
    const count = known.get(key)
    if (count === undefined) return undefined
    sum += count
  }
  return sum
}

/** The counts of a collection that only this process writes to. */
type Own = Counts & {
  /** Number of writes that added or removed documents, or may have done so. */
  changes: number
  /** Called when documents are added or removed, which makes the counts in progress invalid. */
  readonly changed: Set<() => void>
}

/**
 * Creates counts for a database that only this process writes to, through one client. If the result of a write is
 * unknown, discards the affected counts, and the next request counts again.
 */
export function ownCounts(db: Db): LiveCounts {
  const versions = versionsOf(db.client)
  const collections = new Map<string, Own>()
  const ownOf = (collection: string): Own => {
    const own = collections.get(collection) ?? {
      known: new Map(),
      counting: new Map(),
      changes: 0,
      changed: new Set(),
    }
    collections.set(collection, own)
    return own
  }
  versions.followWrites((written = [], at) => {
    for (const { collection, change } of written) {
      if (change?.documents === 0) continue
      const own = ownOf(collection)
      own.changes += 1
      own.changed.forEach((notify) => notify())
      if (at === undefined || change === undefined) own.known.clear()
      else applyChange(own.known, change)
    }
  })
  const count = async (own: Own, collection: string, key: string): Promise<void> => {
    const { changes } = own
    const isWritten = (): boolean => versions.watch([collection])() === undefined
    if (isWritten()) return
    let giveUp = (): void => undefined
    const changed = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)))
    own.changed.add(giveUp)
    const counted = Promise.race([countNow(db, collection, key), changed])
    const found = await counted.finally(() => own.changed.delete(giveUp))
    // If documents have changed meanwhile, it is unknown whether the count includes this change.
    if (found !== undefined && !isWritten() && own.changes === changes) own.known.set(key, found)
  }
  // This version number changes if anything may have changed, for example because a connection was lost.
  const anything = versions.watch([])
  let version = anything()
  return {
    countOf: async (collection, locales, waitMs) => {
      const since = anything()
      if (since !== version) collections.clear()
      version = since
      const own = ownOf(collection)
      const sum = await sumOf(own, locales, waitMs, (key) => count(own, collection, key))
      return anything() === since ? sum : undefined
    },
    stop: () => Promise.resolve(),
  }
}
