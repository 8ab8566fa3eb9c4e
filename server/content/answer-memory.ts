import { LRUCache } from 'lru-cache'
import type { Db } from 'mongodb'
import {
  versionsOf,
  type CollectionVersions,
  type Watched,
} from '../../engine/database/collection-versions.js'
import { tookTooLong } from '../../engine/errors/database-errors.js'
import type { Settings } from '../settings/settings.js'
import type { Signals } from '../signals/signals.js'
import type { Answer, ReadRequest } from './documents.js'

/** A response, and the ignored keys and parameters of its request (`HttpRequest.ignored`). */
export type MadeAnswer = Readonly<{ answer: Answer; ignored: readonly string[] }>

/**
 * Cache of responses. A response is valid until something is written to a collection that it was read from
 * (docs/internals/decisions.md, "Response cache").
 */
export type AnswerMemory = Readonly<{
  /**
   * Returns the cached response for a key if it is still valid. If another request is producing the response, returns a
   * promise that resolves with the response, with undefined if the response was not cached, or with `TakesLong`.
   *
   * @param signal aborted when the requester leaves; the read is aborted when all its requesters have left
   */
  recall: (
    key: string,
    signal?: AbortSignal,
  ) => MadeAnswer | undefined | Promise<MadeAnswer | TakesLong | undefined>
  /**
   * Call this before a response is read from `collections`.
   *
   * @param asked `signal`: as in `recall`. `hasTotal`: whether the response has a total. Instead of being counted, a
   * total may be updated when the database reports writes
   */
  begin: (
    key: string,
    collections: ReadonlySet<string>,
    asked?: Readonly<{ signal?: AbortSignal | undefined; hasTotal?: boolean }>,
  ) => Making
  figures: () => AnswerFigures
}>

/**
 * The other request has taken longer than `waitTimeoutMs`. Perhaps only that request is stuck, so no further request
 * waits for it.
 */
type TakesLong = Readonly<{
  /** Resolves with the other request's response, if it still arrives. */
  later: Promise<MadeAnswer | undefined>
}>

/** A response that is being produced. */
type Making = Readonly<{
  /** Aborted when no requester waits any more. */
  signal: AbortSignal | undefined
  /**
   * Call it after the read, with undefined if the read failed. Caches the response unless its collections were written
   * to since `begin`.
   */
  ended: (made: MadeAnswer | undefined) => void
}>

type AnswerFigures = Readonly<{
  hits: number
  misses: number
  entries: number
  /** Approximate size of all cached responses and their keys. */
  bytes: number
}>

export type AnswerMemoryOptions = Readonly<{
  /** Setting `cache.answers`. */
  maxBytes: number
  versions: CollectionVersions
  /** Returns whether `versions` currently includes every write of every process. */
  isExact: () => boolean
  /**
   * Whether other processes write too. Then a response with an updated total (`isCarried`) is not cached: the total may
   * lack a write that `versions` already includes.
   */
  areOthers?: boolean
  /**
   * How long a request waits for another request's response, in milliseconds. It should leave the waiting request
   * enough time to produce the response itself.
   */
  waitTimeoutMs: number
}>

type CachedAnswer = MadeAnswer & Readonly<{ watched: Watched; version: number }>

/** A response that is being produced, and for which others may wait. */
type Shared = Readonly<{
  watched: Watched
  version: number
  end: Promise<void>
  /** The first call starts the wait timeout. Resolves when the timeout is over. */
  tooLong: () => Promise<void>
  waiters: Waiters
}>

/** Maximum size of a response, as a share of `maxBytes`. A larger one would evict too many others. */
const largestShare = 1 / 4
/** In characters. Longer queries are rarely sent twice. */
const maxKeyLength = 4096
/** Approximate size of a cache entry in bytes, without the response and its key. */
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
      // After `TakesLong` the request calls `recall` again, and only that call counts as a hit or a miss.
      return Promise.race([later, tooLong]).then((found) =>
        found !== undefined && 'later' in found ? found : count(found),
      )
    },
    begin: (key, collections, { signal, hasTotal = false } = {}) => {
      const watched = versions.watch([...collections])
      const version = watched()
      // `version` is undefined while a collection is being written: a read could mix old and new state.
      if (version === undefined || key.length > maxKeyLength || !isExact())
        return { signal, ended: keepNothing }
      let over = keepNothing
      const end = new Promise<void>((resolve) => (over = resolve))
      const waitTimeout = createWaitTimeout(waitTimeoutMs, () => forget(key, making))
      const { tooLong } = waitTimeout
      const making: Shared = { watched, version, end, tooLong, waiters: createWaiters(signal) }
      // With other processes, a response with a total may not be cached, so nobody should wait for it.
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

/** Returns whether nothing was written since the read began. */
const isCurrent = (making: Shared | undefined): making is Shared =>
  making !== undefined && making.watched() === making.version

/** The timeout that all waiting requests share. Started on demand, because most responses need none. */
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

/** `signal` is aborted when all requesters have left. A requester whose signal is undefined never leaves. */
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

/**
 * Maximum number of waits for other requests. A wait is in vain if the other response is not cached, because a write
 * came in between.
 */
const maxWaits = 2

/**
 * Returns the cached response, or waits for another request that is producing it. If there is neither, or the other
 * request takes too long, calls `make`, and returns the response that is ready first. If `make` fails, for example
 * because the slow request keeps the pool busy, waits for the slow request. Throws ApiError 503 if no time is left to
 * call `make`.
 */
export async function cachedOrMade(
  recall: () => ReturnType<AnswerMemory['recall']>,
  make: () => Promise<Answer>,
  { client, ignored }: Pick<ReadRequest, 'client' | 'ignored'>,
  timeoutMs: number,
): Promise<Answer> {
  let known = recall()
  let slow: TakesLong['later'] | undefined
  // Call `make` in the same tick as the last `recall`. Otherwise two requests could both produce the response.
  for (let waits = 0; known instanceof Promise && waits < maxWaits; waits += 1) {
    const found: MadeAnswer | TakesLong | undefined = await firstMade(known, slow)
    const isLate = found !== undefined && 'later' in found
    if (isLate) slow ??= found.later
    const made = isLate ? undefined : (found ?? (await slow))
    known = made ?? recall()
  }
  if (known !== undefined && !(known instanceof Promise)) {
    if (ignored !== undefined) known.ignored.forEach(ignored)
    return known.answer
  }
  if ((client?.budget?.left() ?? Infinity) <= 0) throw tookTooLong(timeoutMs)
  return firstMade(
    make(),
    slow?.then((made) => made?.answer),
  )
}

/**
 * Resolves with the first result of `own` and `late`, but ignores an undefined result of `late`. If `own` fails, waits
 * for `late`.
 */
async function firstMade<T>(own: Promise<T>, late: Promise<T | undefined> | undefined): Promise<T> {
  if (late === undefined) return own
  const ownOrLate = own.catch(async () => (await late) ?? own)
  return Promise.race([ownOrLate, late.then((made) => made ?? own)])
}

type Parts = Readonly<{
  db: Db
  /** Whether no other process can use the database. */
  singleProcess: boolean
  /** The lock of `database.exclusive`; undefined if the setting is off. */
  exclusive: Readonly<{ isHeld: () => boolean }> | undefined
  signals: Signals
}>

/**
 * Opens the response cache. Returns undefined if the settings disable it, or if this process could miss writes of other
 * processes.
 */
export function openAnswers(
  settings: Settings,
  { db, singleProcess, exclusive, signals }: Parts,
): AnswerMemory | undefined {
  const maxBytes = settings['cache.answers']
  const versions = versionsOf(db.client)
  if (maxBytes === 0) return undefined
  // Wait at most half of a read's time limit. The rest is for producing the response in this request.
  const waitTimeoutMs = settings['api.rest.queryTimeoutMs'] / 2
  const about = { maxBytes, versions, waitTimeoutMs }
  if (singleProcess) return createAnswerMemory({ ...about, isExact: () => true })
  if (exclusive !== undefined) return createAnswerMemory({ ...about, isExact: exclusive.isHeld })
  if (!mayBeStale(settings)) return undefined
  // Whether the last message of the change stream is recent. If so, `versions` includes all writes acknowledged before
  // that message.
  const isCurrent = (): boolean =>
    (signals.figures().lastHeartbeatAgoMs ?? Infinity) <= settings['cache.maxStaleMs']
  return createAnswerMemory({ ...about, isExact: isCurrent, areOthers: true })
}

/** Returns whether the settings allow cached responses that lack the latest writes of other instances. */
export const mayBeStale = (settings: Settings): boolean =>
  settings['cache.answers'] > 0 &&
  settings['cache.maxStaleMs'] > 0 &&
  !settings['database.exclusive']
