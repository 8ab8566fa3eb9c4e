import { LRUCache } from 'lru-cache'
import type { CollectionVersions, Watched } from '../../engine/database/collection-versions.js'
import type { Answer } from './documents.js'

/** A response, and the names that were ignored in its request (`HttpRequest.ignored`). */
export type MadeAnswer = Readonly<{ answer: Answer; ignored: readonly string[] }>

/**
 * Cache of responses. A cached response is returned as long as nothing was written to the collections that it was read
 * from (docs/decisions.md, "Answers that did not change").
 */
export type AnswerMemory = Readonly<{
  /**
   * Returns the cached response of a key if it is still valid. Returns a promise if another request is producing it and
   * nothing was written since that began. The promise resolves with the response, with undefined if it could not be
   * cached, or with `TakesLong`.
   * @param signal of the requester; the read is aborted only when no requester waits any more
   */
  recall: (
    key: string,
    signal?: AbortSignal,
  ) => MadeAnswer | undefined | Promise<MadeAnswer | TakesLong | undefined>
  /**
   * Call it before a response is read from these collections.
   * @param asked the requester's signal, and whether the response has a total, which may be a carried one
   */
  begin: (
    key: string,
    collections: ReadonlySet<string>,
    asked?: Readonly<{ signal?: AbortSignal | undefined; hasTotal?: boolean }>,
  ) => Making
  figures: () => AnswerFigures
}>

/**
 * The wait timeout for another request's result is over: that request may be stuck where this one would not be. No
 * further request starts to wait for it.
 */
export type TakesLong = Readonly<{
  /** The result, if it still arrives. */
  later: Promise<MadeAnswer | undefined>
}>

/** A response that is being produced. */
export type Making = Readonly<{
  /** Aborted when no requester waits any more. */
  signal: AbortSignal | undefined
  /**
   * Call it when the response was read, or with undefined if that failed. Caches the response if nothing was written to
   * its collections since it began.
   */
  ended: (made: MadeAnswer | undefined) => void
}>

type AnswerFigures = Readonly<{
  hits: number
  misses: number
  entries: number
  /** Bytes of responses and keys. */
  bytes: number
}>

export type AnswerMemoryOptions = Readonly<{
  /** `cache.answers`. */
  maxBytes: number
  versions: CollectionVersions
  /** Whether the versions currently reflect every write of every process. */
  isExact: () => boolean
  /**
   * Whether other processes write as well. Carried totals and versions learn of those writes independently, so a
   * response with a carried total may be older than its versions.
   */
  areOthers?: boolean
  /**
   * Wait timeout for a response that another request produces, in milliseconds. Afterwards the waiting requests need
   * about as much time to produce it themselves.
   */
  waitTimeoutMs: number
}>

type CachedAnswer = MadeAnswer & Readonly<{ watched: Watched; version: number }>

/** A response in production that others may wait for. */
type Shared = Readonly<{
  watched: Watched
  version: number
  end: Promise<void>
  /** Resolves when the wait timeout is over. It starts with the first call. */
  tooLong: () => Promise<void>
  waiters: Waiters
}>

/** Largest share of `maxBytes` for one response. A larger response would evict too many others. */
const largestShare = 1 / 4
/** Longest key. Longer queries are rarely sent twice. */
const maxKeyLength = 4096
/** Approximate bytes of an entry in addition to its response and its key. */
const entryBytes = 500

export function createAnswerMemory({
  maxBytes,
  versions,
  isExact,
  areOthers = false,
  waitTimeoutMs,
}: AnswerMemoryOptions): AnswerMemory {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes * largestShare)),
    sizeCalculation: ({ answer }, key) => answer.bytes.byteLength + 2 * key.length + entryBytes,
  })
  const makings = new Map<string, Shared>()
  let hits = 0
  let misses = 0
  const find = (key: string): CachedAnswer | undefined => {
    const cached = answers.get(key)
    const isRight = cached?.watched() === cached?.version
    if (cached !== undefined && isRight && isExact()) return cached
    // Versions only grow, so it never becomes valid again.
    if (!isRight) answers.delete(key)
    return undefined
  }
  const count = <T extends MadeAnswer>(cached: T | undefined): T | undefined => {
    if (cached === undefined) misses += 1
    else hits += 1
    return cached
  }
  const forget = (key: string, making: Shared): void => {
    if (makings.get(key) === making) makings.delete(key)
  }
  return {
    recall: (key, signal) => {
      const cached = find(key)
      const making = makings.get(key)
      if (cached !== undefined || !isCurrent(making) || making.waiters.signal.aborted)
        return count(cached)
      making.waiters.add(signal)
      const later = making.end.then(() => find(key))
      const tooLong = making.tooLong().then((): TakesLong => ({ later }))
      // A request whose wait times out calls `recall` again, and is counted then.
      return Promise.race([later, tooLong]).then((found) =>
        found !== undefined && 'later' in found ? found : count(found),
      )
    },
    begin: (key, collections, { signal, hasTotal = false } = {}) => {
      const watched = versions.watch([...collections])
      const version = watched()
      // If one of the collections is being written, a read may mix old and new state.
      if (version === undefined || key.length > maxKeyLength || !isExact())
        return { signal, ended: keepNothing }
      let over = keepNothing
      const end = new Promise<void>((resolve) => (over = resolve))
      const waitTimeout = createWaitTimeout(waitTimeoutMs, () => forget(key, making))
      const { tooLong } = waitTimeout
      const making: Shared = { watched, version, end, tooLong, waiters: createWaiters(signal) }
      // Others must not wait for a response that is not cached.
      if (!(areOthers && hasTotal)) makings.set(key, making)
      const ended = (made: MadeAnswer | undefined): void => {
        const mayBeOlder = areOthers && made?.answer.isCarried === true
        if (made !== undefined && !mayBeOlder && watched() === version && isExact())
          answers.set(key, { ...made, watched, version })
        forget(key, making)
        waitTimeout.end()
        over()
      }
      return { signal: making.waiters.signal, ended }
    },
    figures: () => ({ hits, misses, entries: answers.size, bytes: answers.calculatedSize }),
  }
}

const keepNothing = (): void => undefined

/** Whether nothing was written since the response was begun. Otherwise it may show the previous state. */
const isCurrent = (making: Shared | undefined): making is Shared =>
  making !== undefined && making.watched() === making.version

/** Creates one timer for all waiting requests. It starts on demand, because most responses need none. */
function createWaitTimeout(ms: number, onOver: () => void) {
  let timer: NodeJS.Timeout | undefined
  let over: Promise<void> | undefined
  const tooLong = (): Promise<void> =>
    (over ??= new Promise((resolve) => {
      timer = setTimeout(() => {
        onOver()
        resolve()
      }, ms)
    }))
  return { tooLong, end: () => clearTimeout(timer) }
}

/** The requesters that wait for a response. One without a signal waits until its end. */
type Waiters = Readonly<{ add: (signal: AbortSignal | undefined) => void; signal: AbortSignal }>

function createWaiters(first: AbortSignal | undefined): Waiters {
  const nobody = new AbortController()
  let count = 0
  const add = (signal: AbortSignal | undefined): void => {
    if (signal?.aborted === true) return
    count += 1
    const leave = (): void => {
      count -= 1
      if (count === 0) nobody.abort(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
  }
  add(first)
  if (count === 0) nobody.abort(first?.reason)
  return { add, signal: nobody.signal }
}
