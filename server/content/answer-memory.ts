import { LRUCache } from 'lru-cache'
import type { CollectionVersions, Watched } from '../../engine/database/collection-versions.js'
import type { Answer } from './documents.js'

/** An answer as it was made, and what of its request was passed over (`HttpRequest.ignored`). */
export type MadeAnswer = Readonly<{ answer: Answer; ignored: readonly string[] }>

/**
 * Answers that were made before, given again as long as nothing was written to what they were made of
 * (docs/decisions.md, "Answers that did not change").
 */
export type AnswerMemory = Readonly<{
  /**
   * The answer of a key, where it would be made just so again; a promise where another request is making it and nothing
   * was written since that began: of the answer, of undefined where it could not be kept, or that it takes long.
   * @param signal of who asks: what is being made goes on as long as anybody waits for it
   */
  recall: (
    key: string,
    signal?: AbortSignal,
  ) => MadeAnswer | undefined | Promise<MadeAnswer | TakesLong | undefined>
  /**
   * To be called before an answer is read from these collections.
   * @param asked of whom it is asked for, and whether it has a total, which may be one that is carried on
   */
  begin: (
    key: string,
    collections: ReadonlySet<string>,
    asked?: Readonly<{ signal?: AbortSignal | undefined; hasTotal?: boolean }>,
  ) => Making
  figures: () => AnswerFigures
}>

/**
 * What another request makes was waited for as long as it is worth: it may be stuck where the next is not. Nobody
 * begins to wait for it any more.
 */
export type TakesLong = Readonly<{
  /** It may be made all the same. */
  later: Promise<MadeAnswer | undefined>
}>

/** An answer that is being made. */
export type Making = Readonly<{
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal | undefined
  /**
   * To be called when it was read, or without one when that failed; it keeps the answer where nothing was written to its
   * collections since it began.
   */
  ended: (made: MadeAnswer | undefined) => void
}>

type AnswerFigures = Readonly<{
  hits: number
  misses: number
  entries: number
  /** Of answers and keys. */
  bytes: number
}>

export type AnswerMemoryOptions = Readonly<{
  /** `cache.answers`. */
  maxBytes: number
  versions: CollectionVersions
  /** Whether the versions hear of everything that anybody writes, at this moment. */
  isExact: () => boolean
  /**
   * Whether others write as well. Totals that are carried on hear of them in their own time, and versions in theirs, so
   * that an answer with one may be older than its versions.
   */
  areOthers?: boolean
  /**
   * How long those wait in whose place another request makes an answer, in milliseconds; they need as much to make it
   * themselves.
   */
  patienceMs: number
}>

type Kept = MadeAnswer & Readonly<{ watched: Watched; version: number }>

/** One that others may wait for. */
type Shared = Readonly<{
  watched: Watched
  version: number
  end: Promise<void>
  /** Resolves when it has been waited for too long, from the first call on. */
  tooLong: () => Promise<void>
  askers: Askers
}>

/** Of the bound for all; a larger answer would push out too many others. */
const largestShare = 1 / 4
/** Longer queries are rarely sent twice. */
const maxKeyLength = 4096
/** What an entry takes beside its bytes and its key, about. */
const entryBytes = 500

export function createAnswerMemory({
  maxBytes,
  versions,
  isExact,
  areOthers = false,
  patienceMs,
}: AnswerMemoryOptions): AnswerMemory {
  const answers = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes * largestShare)),
    sizeCalculation: ({ answer }, key) => answer.bytes.byteLength + 2 * key.length + entryBytes,
  })
  const makings = new Map<string, Shared>()
  let hits = 0
  let misses = 0
  const find = (key: string): Kept | undefined => {
    const kept = answers.get(key)
    const isRight = kept?.watched() === kept?.version
    if (kept !== undefined && isRight && isExact()) return kept
    // Versions only grow: it will never be right again.
    if (!isRight) answers.delete(key)
    return undefined
  }
  const count = <T extends MadeAnswer>(kept: T | undefined): T | undefined => {
    if (kept === undefined) misses += 1
    else hits += 1
    return kept
  }
  const forget = (key: string, making: Shared): void => {
    if (makings.get(key) === making) makings.delete(key)
  }
  return {
    recall: (key, signal) => {
      const kept = find(key)
      const making = makings.get(key)
      if (kept !== undefined || !isCurrent(making) || making.askers.signal.aborted)
        return count(kept)
      making.askers.add(signal)
      const later = making.end.then(() => find(key))
      const tooLong = making.tooLong().then((): TakesLong => ({ later }))
      // Who does not wait for it any more asks once more, and is counted then.
      return Promise.race([later, tooLong]).then((found) =>
        found !== undefined && 'later' in found ? found : count(found),
      )
    },
    begin: (key, collections, { signal, hasTotal = false } = {}) => {
      const watched = versions.watch([...collections])
      const version = watched()
      // While one of them is written, what is read may be of before and of after.
      if (version === undefined || key.length > maxKeyLength || !isExact())
        return { signal, ended: keepNothing }
      let over = keepNothing
      const end = new Promise<void>((resolve) => (over = resolve))
      const patience = createPatience(patienceMs, () => forget(key, making))
      const { tooLong } = patience
      const making: Shared = { watched, version, end, tooLong, askers: createAskers(signal) }
      // One that is not kept is nothing to wait for.
      if (!(areOthers && hasTotal)) makings.set(key, making)
      const ended = (made: MadeAnswer | undefined): void => {
        const mayBeOlder = areOthers && made?.answer.isCarried === true
        if (made !== undefined && !mayBeOlder && watched() === version && isExact())
          answers.set(key, { ...made, watched, version })
        forget(key, making)
        patience.end()
        over()
      }
      return { signal: making.askers.signal, ended }
    },
    figures: () => ({ hits, misses, entries: answers.size, bytes: answers.calculatedSize }),
  }
}

const keepNothing = (): void => undefined

/** What was begun before something was written shows what was before it, perhaps. */
const isCurrent = (making: Shared | undefined): making is Shared =>
  making !== undefined && making.watched() === making.version

/** One timer for all who wait, which most answers do not need. */
function createPatience(ms: number, onOver: () => void) {
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

/** Who waits for an answer; one without a signal waits until its end. */
type Askers = Readonly<{ add: (signal: AbortSignal | undefined) => void; signal: AbortSignal }>

function createAskers(first: AbortSignal | undefined): Askers {
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
