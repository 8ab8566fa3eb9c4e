import { LRUCache } from 'lru-cache'
import type { CollectionVersions, Watched } from '../../engine/database/collection-versions.js'
import type { Answer } from './documents.js'

/** A response, and the names of the keys and parameters that were ignored in its request (`HttpRequest.ignored`). */
export type MadeAnswer = Readonly<{ answer: Answer; ignored: readonly string[] }>

/**
 * Cache of responses. A cached response is valid as long as nothing was written to the collections from which it was
 * read (docs/internals/decisions.md, "Response cache").
 */
export type AnswerMemory = Readonly<{
  /**
   * Returns the cached response for a key if it is valid. If another request is producing the response, and nothing was
   * written since that read began, returns a promise. The promise resolves with the response, with undefined if the
   * response could not be cached, or with `TakesLong`.
   * @param signal signal of the requester; the read is aborted only when no requester waits any more
   */
  recall: (
    key: string,
    signal?: AbortSignal,
  ) => MadeAnswer | undefined | Promise<MadeAnswer | TakesLong | undefined>
  /**
   * Announces that a response will be read from these collections. Call it before the read.
   * @param asked the requester's signal, and whether the response has a total. A total may be updated from reported
   *   writes instead of being counted
   */
  begin: (
    key: string,
    collections: ReadonlySet<string>,
    asked?: Readonly<{ signal?: AbortSignal | undefined; hasTotal?: boolean }>,
  ) => Making
  figures: () => AnswerFigures
}>

/**
 * The result if another request takes longer than `waitTimeoutMs` to produce the response. That request may be stuck
 * for a reason that does not affect the waiting request. After the timeout, no further request waits for it.
 */
export type TakesLong = Readonly<{
  /** Resolves with the other request's response, if it still arrives. */
  later: Promise<MadeAnswer | undefined>
}>

/** A response that is being produced. */
export type Making = Readonly<{
  /** Aborted when no requester waits for the response any more. */
  signal: AbortSignal | undefined
  /**
   * Call it when the read has ended: with the response, or with undefined if the read failed. Caches the response if
   * nothing was written to its collections since `begin`.
   */
  ended: (made: MadeAnswer | undefined) => void
}>

type AnswerFigures = Readonly<{
  hits: number
  misses: number
  entries: number
  /** Approximate bytes of all responses and keys. */
  bytes: number
}>

export type AnswerMemoryOptions = Readonly<{
  /** The setting `cache.answers`. */
  maxBytes: number
  versions: CollectionVersions
  /** Returns whether `versions` currently includes every write of every process. */
  isExact: () => boolean
  /**
   * Whether other processes write too. `versions`, and a total that is updated from reported writes instead of being
   * counted (`isCarried`), may learn of such a write at different times. So a response with such a total may be older
   * than its version says.
   */
  areOthers?: boolean
  /**
   * Maximum time to wait for a response that another request produces, in milliseconds. Afterwards, a waiting request
   * still has about the same time left to produce the response itself.
   */
  waitTimeoutMs: number
}>

type CachedAnswer = MadeAnswer & Readonly<{ watched: Watched; version: number }>

/** A response that is being produced, and for which other requests may wait. */
type Shared = Readonly<{
  watched: Watched
  version: number
  end: Promise<void>
  /** Resolves when the wait timeout is over. The timeout begins with the first call. */
  tooLong: () => Promise<void>
  waiters: Waiters
}>

/** Maximum share of `maxBytes` for one response. A larger response would evict too many other responses. */
const largestShare = 1 / 4
/** Maximum number of characters of a key. Longer queries are rarely sent twice. */
const maxKeyLength = 4096
/** Approximate size of an entry, in bytes, in addition to its response and its key. */
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
    // Versions only grow, so this response never becomes valid again.
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
      // After `TakesLong` the request calls `recall` again. Only that call counts as a hit or a miss.
      return Promise.race([later, tooLong]).then((found) =>
        found !== undefined && 'later' in found ? found : count(found),
      )
    },
    begin: (key, collections, { signal, hasTotal = false } = {}) => {
      const watched = versions.watch([...collections])
      const version = watched()
      // `version` is undefined while one of the collections is being written: a read could then mix the old and the new
      // state.
      if (version === undefined || key.length > maxKeyLength || !isExact())
        return { signal, ended: keepNothing }
      let over = keepNothing
      const end = new Promise<void>((resolve) => (over = resolve))
      const waitTimeout = createWaitTimeout(waitTimeoutMs, () => forget(key, making))
      const { tooLong } = waitTimeout
      const making: Shared = { watched, version, end, tooLong, waiters: createWaiters(signal) }
      // Do not let other requests wait for a response that will not be cached.
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

/**
 * Returns whether nothing was written since the read of the response began. Otherwise the response may show the state
 * before the write.
 */
const isCurrent = (making: Shared | undefined): making is Shared =>
  making !== undefined && making.watched() === making.version

/**
 * Creates the timeout that all waiting requests share. Its timer starts on demand, because most responses need none.
 */
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

/**
 * The requesters that wait for a response. `signal` is aborted when all of them have left. A requester without a signal
 * never leaves.
 */
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
