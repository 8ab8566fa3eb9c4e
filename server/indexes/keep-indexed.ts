import { isDeepStrictEqual } from 'node:util'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { listIndexes } from '../../engine/database/ensure-indexes.js'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { indexOf, isMade, readRecorded } from '../../engine/database/recorded-indexes.js'
import { LeaseLost, withLease } from '../../engine/database/with-lease.js'
import type { Executor } from '../../engine/read.js'
import type { Index } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'
import { carryOut } from './carry-out.js'
import { decideNext, type Decision, type IndexSettings } from './decide-index.js'
import {
  countingExecutor,
  createObservedDemands,
  type ObservedDemands,
} from './observed-demands.js'
import { recordIdle, recordUse } from './record-use.js'
import { createWeigher } from './weigh-demands.js'

export type IndexerOptions = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  settings: IndexSettings
  /** Whether no other process can use this database. */
  singleProcess: boolean
  /**
   * Returns the error with which writes are rejected at the moment; undefined if they are not. While they are, no index
   * is built.
   */
  refusal?: (() => unknown) | undefined
  demands?: ObservedDemands
  bounds?: typeof usualBounds
  /** Interval of checks in milliseconds; 0: checks run only on request. */
  everyMs?: number
  /** Current time in milliseconds since 1970. */
  now?: () => number
}>

/** Manages automatic indexes in the background. */
export type Indexer = Readonly<{
  /** Returns an executor that counts every read before it runs it. */
  counting: (executor: Executor) => Executor
  /** Counts a write; undefined if writes need not be counted. */
  wrote: ((uid: string) => void) | undefined
  /** Automatic indexes by collection. Returns the same object until an index is built or dropped. */
  made: () => MadeIndexes
  /** Builds and drops indexes now, if necessary. */
  check: () => Promise<void>
  /**
   * Stops managing indexes. Does not wait for an index that is being built: another process, or the next start,
   * continues the build.
   */
  stop: () => Promise<void>
  figures: () => Readonly<{ made: number; bytes: number; noted: number }>
}>

type MadeIndexes = ReadonlyMap<string, readonly Index[]>

/** When a kind of query counts as frequent. */
const frequency = { minRequests: 100, minMs: 2_500 }
/**
 * `minSavedMs` corresponds to a hundred reads a day, each of which is ten milliseconds faster with the index. In
 * collections with less than `minEntries`, an index gains nothing: filtering 500 authors by name gave 388 requests per
 * second with an index, and 385 without.
 */
const usualBounds = { minSavedMs: 1_000, minEntries: 1_000 }
const usualEveryMs = 10_000
/**
 * Milliseconds between checks for queries that have just become frequent, so that their index need not wait for the
 * next regular check.
 */
const promptlyMs = 2_000
/** Milliseconds between checks for indexes that have disappeared or have become unused. */
const upkeepMs = 3_600_000

/**
 * Builds indexes that observed queries justify, one at a time and in only one process. Drops unused ones
 * (docs/internals/storage.md, "Automatic indexes").
 */
export async function startIndexer(options: IndexerOptions): Promise<Indexer> {
  const { db, log, registry, settings, singleProcess, refusal } = options
  const { everyMs = usualEveryMs, now = Date.now, bounds = usualBounds } = options
  const { demands = createObservedDemands({ ...frequency, now }) } = options
  const isOff = settings['indexes.auto'] === 'off'
  const weigher = createWeigher({ db, registry, demands, ...bounds, now })
  const stopping = new AbortController()
  let records: readonly RecordedIndex[] = []
  let made: MadeIndexes = new Map()
  let checkedAt = -Infinity
  let version: number | undefined
  let isRequested = false
  let isMaking = false
  let running: Promise<void> | undefined

  const read = async (): Promise<readonly RecordedIndex[]> => {
    records = await readRecorded(db)
    const found = madeOf(records)
    if (!isDeepStrictEqual(found, made)) made = found
    return records
  }
  const next = async (): Promise<Decision | undefined> =>
    decideNext({
      records: await read(),
      registry: registry(),
      settings,
      canBuild: refusal?.() === undefined,
      weigher,
      namesIn: namesOnce(db),
      now: now(),
    })
  const lost = (err: unknown): void =>
    log.debug({ err }, 'Another instance manages automatic indexes')
  const lease = { db, collection: '_settings', _id: 'indexing', singleProcess, lost }
  const work = async (renew: () => Promise<void>): Promise<void> => {
    // Decide again after each change, because it may change what else pays.
    while (!stopping.signal.aborted) {
      const decision = await next()
      if (decision === undefined) return
      await renew()
      isMaking = decision.act === 'make'
      try {
        await carryOut(decision, { db, log, now, signal: stopping.signal })
      } finally {
        isMaking = false
      }
    }
  }
  const checkNow = async (): Promise<void> => {
    const isDue = now() - checkedAt >= upkeepMs
    const isChanged = version !== registry().version
    if (!isDue && !isChanged && !isRequested && !demands.isRecent() && !demands.hasNew()) return
    isRequested = false
    const uses = { records: await read(), registry: registry(), now: now() }
    await recordUse(db, { ...uses, recent: demands.takeRecent() })
    if (isDue) await recordIdle(db, uses)
    // Decide without the lease first, because usually there is nothing to do.
    if ((await next()) !== undefined)
      await withLease(lease, work, () => {
        throw new LeaseLost(lease._id)
      })
    if (isDue) checkedAt = now()
    version = registry().version
  }
  const tryCheck = async (): Promise<void> => {
    try {
      await checkNow()
    } catch (err) {
      if (stopping.signal.aborted || err instanceof LeaseLost) return
      log.warn({ err }, 'Automatic indexes could not be managed. Trying again')
    }
  }
  const inTurn = (): Promise<void> => (running ??= tryCheck().finally(() => (running = undefined)))

  await read()
  const timers =
    isOff || everyMs === 0
      ? []
      : [
          setInterval(() => void inTurn(), everyMs),
          setInterval(() => void (demands.hasNew() && inTurn()), promptlyMs),
        ]
  for (const timer of timers) timer.unref()
  return {
    counting: (executor) => (isOff ? executor : countingExecutor(executor, demands)),
    wrote: isOff ? undefined : demands.wrote,
    made: () => made,
    check: async () => {
      if (isOff) return
      await running
      isRequested = true
      await inTurn()
    },
    stop: async () => {
      timers.forEach(clearInterval)
      stopping.abort()
      if (!isMaking) await running
    },
    figures: () => {
      const indexes = records.filter(isMade)
      const bytes = indexes.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
      return { made: indexes.length, bytes, noted: demands.size() }
    },
  }
}

function madeOf(records: readonly RecordedIndex[]): MadeIndexes {
  const found = new Map<string, readonly Index[]>()
  for (const record of records.filter(isMade))
    found.set(record.collection, [...(found.get(record.collection) ?? []), indexOf(record)])
  return found
}

/** Returns a function that returns the names of a collection's indexes, and reads them only once. */
function namesOnce(db: Db): (collection: string) => Promise<readonly (string | undefined)[]> {
  const read = async (collection: string) =>
    (await listIndexes(db, collection)).map(({ name }) => name)
  const known = new Map<string, ReturnType<typeof read>>()
  return (collection) => {
    const names = known.get(collection) ?? read(collection)
    known.set(collection, names)
    return names
  }
}
