import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { indexOf, readRecorded } from '../../engine/database/recorded-indexes.js'
import { LeaseLost, withLease } from '../../engine/database/with-lease.js'
import type { Index } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { IndexBudget, IndexMode } from './index-budget.js'
import { createIndexSteps } from './index-steps.js'
import { recordIdle, recordUse } from './note-use.js'
import type { ObservedDemands } from './observed-demands.js'
import type { WeighingBounds } from './weigh-demands.js'
import { createWeigher } from './weigh-demands.js'

export type IndexerOptions = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  mode: IndexMode
  budget: IndexBudget
  /** Milliseconds without use after which an index is dropped. */
  unusedMs: number
  demands: ObservedDemands
  /** Whether no other process can use this database. */
  singleProcess: boolean
  /**
   * Returns the error with which writes are rejected at the moment; undefined if they are not. While they are, no index
   * is built.
   */
  refusal?: (() => unknown) | undefined
  bounds?: WeighingBounds
  /** Interval of checks in milliseconds; 0: checks run only on request. */
  everyMs?: number
  /** Current time in milliseconds since 1970. */
  now?: () => number
}>

/** Manages automatic indexes in the background. */
export type Indexer = Readonly<{
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

/**
 * `minSavedMs` corresponds to a hundred reads a day, each of which is ten milliseconds faster with the index. In
 * collections with less than `minEntries`, an index gains nothing: filtering 500 authors by name gave 388 requests per
 * second with an index, and 385 without.
 */
const usualBounds: WeighingBounds = { minSavedMs: 1_000, minEntries: 1_000 }
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
  const {
    db,
    log,
    registry,
    mode,
    demands,
    singleProcess,
    now = Date.now,
    everyMs = usualEveryMs,
  } = options
  const stopping = new AbortController()
  const weigher = createWeigher(db, demands, { ...(options.bounds ?? usualBounds), now })
  let records: readonly RecordedIndex[] = []
  let made: MadeIndexes = new Map()
  const follow = (read: readonly RecordedIndex[]): readonly RecordedIndex[] => {
    records = read
    const found = madeOf(read)
    if (describeMade(found) !== describeMade(made)) made = found
    return read
  }
  const steps = createIndexSteps({ ...options, weigher, now, signal: stopping.signal })
  const lost = (err: unknown): void =>
    log.debug({ err }, 'Another instance manages automatic indexes')
  const lease = { db, collection: '_settings', _id: 'indexing', singleProcess, lost }
  let checkedAt = -Infinity
  let version: number | undefined
  let isRequested = false
  let running: Promise<void> | undefined

  const work = async (check: () => Promise<void>): Promise<void> => {
    // Read the records again after each step, because the step changes them.
    while (!stopping.signal.aborted) {
      const step = await steps.next(follow(await readRecorded(db)))
      if (step === undefined) return
      await check()
      await step()
    }
  }
  const checkNow = async (): Promise<void> => {
    const isDue = now() - checkedAt >= upkeepMs
    const isChanged = version !== registry().version
    if (!isDue && !isChanged && !isRequested && !demands.isRecent() && !demands.hasNew()) return
    isRequested = false
    follow(await readRecorded(db))
    const recent = demands.takeRecent()
    await recordUse(db, { records, recent, registry: registry(), now })
    if (isDue) await recordIdle(db, { records, now })
    // First check without the lease, because usually there is nothing to do.
    if ((await steps.next(await readRecorded(db))) !== undefined) {
      await withLease(lease, work, () => {
        throw new Busy()
      })
      follow(await readRecorded(db))
    }
    checkedAt = isDue ? now() : checkedAt
    version = registry().version
  }
  const tryCheck = async (): Promise<void> => {
    try {
      await checkNow()
    } catch (err) {
      if (stopping.signal.aborted || err instanceof Busy || err instanceof LeaseLost) return
      log.warn({ err }, 'Automatic indexes could not be managed. Trying again')
    }
  }
  const inTurn = (): Promise<void> => (running ??= tryCheck().finally(() => (running = undefined)))

  follow(await readRecorded(db))
  const timers =
    mode === 'off' || everyMs === 0
      ? []
      : [
          setInterval(() => void inTurn(), everyMs),
          setInterval(() => void (demands.hasNew() && inTurn()), promptlyMs),
        ]
  for (const timer of timers) timer.unref()
  return {
    made: () => made,
    check: async () => {
      if (mode === 'off') return
      await running
      isRequested = true
      await inTurn()
    },
    stop: async () => {
      timers.forEach(clearInterval)
      stopping.abort()
      if (steps.isMaking()) return
      await running
    },
    figures: () => ({
      made: [...made.values()].reduce((sum, indexes) => sum + indexes.length, 0),
      bytes: records.reduce((sum, { state, bytes = 0 }) => sum + (state === 'made' ? bytes : 0), 0),
      noted: demands.size(),
    }),
  }
}

/** Another process manages the indexes. */
class Busy extends Error {}

function madeOf(records: readonly RecordedIndex[]): MadeIndexes {
  const found = new Map<string, Index[]>()
  for (const record of records) {
    if (record.state !== 'made') continue
    const there = found.get(record.collection) ?? []
    there.push(indexOf(record))
    found.set(record.collection, there)
  }
  return found
}

const describeMade = (made: MadeIndexes): string =>
  [...made].flatMap(([collection, all]) => all.map(({ name }) => `${collection} ${name}`)).join()
