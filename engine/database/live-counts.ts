import type { ClientSession, Db } from 'mongodb'
import type { CountChange } from './count-changes.js'
import { versionsOf } from './collection-versions.js'

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
export const everything = '*'

/** The known counts of one collection, by key. */
export class KnownCounts {
  readonly #counts = new Map<string, number>()

  get(key: string): number | undefined {
    return this.#counts.get(key)
  }

  set(key: string, count: number): void {
    this.#counts.set(key, count)
  }

  forget(): void {
    this.#counts.clear()
  }

  /**
   * Applies a change. Discards the counts of all locales if it is unknown which locales have changed.
   * @param isIn returns whether the count of a key already includes the change
   */
  apply(
    { by, byLocale }: Pick<CountChange, 'by' | 'byLocale'>,
    isIn: (key: string) => boolean = () => false,
  ): void {
    for (const [key, count] of [...this.#counts])
      if (isIn(key)) continue
      else if (key === everything) this.#counts.set(key, count + by)
      else if (byLocale === undefined) this.#counts.delete(key)
      else this.#counts.set(key, count + (byLocale.get(key) ?? 0))
  }
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

/** Returns whether all counts end within `ms` milliseconds. A count that fails has ended, too. */
export async function endWithin(ms: number, counts: readonly Promise<unknown>[]): Promise<boolean> {
  return (await withTimeout(ms, Promise.allSettled(counts))) !== undefined
}

/** Returns the sum of the counts of several locales, or the count of all documents. Undefined if a count is unknown. */
export function sumOf(
  locales: readonly string[] | null,
  known: KnownCounts | undefined,
): number | undefined {
  let sum = 0
  for (const key of locales ?? [everything]) {
    const count = known?.get(key)
    if (count === undefined) return undefined
    sum += count
  }
  return sum
}

/** Milliseconds after which a write that got no response can no longer take effect. */
const doubtMs = 600_000

/** The counts of a collection that only this process writes to. */
type Own = {
  readonly known: KnownCounts
  readonly counting: Map<string, Promise<number | undefined>>
  inFlight: number
  changes: number
  /** Called when documents are added or removed, which makes the counts in progress invalid. */
  readonly changed: Set<() => void>
}

/**
 * Creates counts for a database that only this process writes to, through one client. If the result of a write is
 * unknown, discards the affected counts, and the next request counts again.
 */
export function ownCounts(db: Db): LiveCounts {
  const collections = new Map<string, Own>()
  const ownOf = (collection: string): Own => {
    const known = collections.get(collection)
    if (known !== undefined) return known
    const own: Own = {
      known: new KnownCounts(),
      counting: new Map(),
      inFlight: 0,
      changes: 0,
      changed: new Set(),
    }
    collections.set(collection, own)
    return own
  }
  const change = (own: Own): void => {
    own.changes += 1
    own.changed.forEach((notify) => notify())
  }
  const forget = (own: Own): void => {
    change(own)
    own.known.forget()
  }
  versionsOf(db.client)?.followCounts({
    began: (collection) => void (ownOf(collection).inFlight += 1),
    ended: (collection, how) => {
      const own = ownOf(collection)
      const end = (): void => {
        own.inFlight -= 1
        if (how !== 'done') forget(own)
      }
      if (how !== 'unanswered') return end()
      forget(own)
      setTimeout(end, doubtMs).unref()
    },
    changed: (collection, changes) => {
      const own = ownOf(collection)
      change(own)
      own.known.apply(changes)
    },
    lost: () => collections.forEach(forget),
  })
  const count = async (own: Own, collection: string, key: string): Promise<number | undefined> => {
    const { changes } = own
    if (own.inFlight > 0) return undefined
    let giveUp = (): void => undefined
    const changed = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)))
    own.changed.add(giveUp)
    const counted = Promise.race([countNow(db, collection, key), changed])
    const found = await counted.finally(() => own.changed.delete(giveUp))
    // If documents have changed meanwhile, it is unknown whether the count includes this change.
    if (found === undefined || own.inFlight > 0 || own.changes !== changes) return undefined
    own.known.set(key, found)
    return found
  }
  const counting = (own: Own, collection: string, key: string): Promise<number | undefined> => {
    const counted =
      own.counting.get(key) ?? count(own, collection, key).finally(() => own.counting.delete(key))
    own.counting.set(key, counted)
    return counted
  }
  return {
    countOf: async (collection, locales, waitMs) => {
      const own = ownOf(collection)
      const unknown = (locales ?? [everything]).filter((key) => own.known.get(key) === undefined)
      const counts = unknown.map((key) => counting(own, collection, key))
      if (counts.length > 0 && !(await endWithin(waitMs, counts))) return 'late'
      return sumOf(locales, own.known)
    },
    stop: () => Promise.resolve(),
  }
}
