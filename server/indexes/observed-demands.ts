import type { Executor, ReadPlan } from '../../engine/read.js'
import type { Demand } from '../../engine/indexing/demand.js'
import { demandsOf, keyOf } from '../../engine/indexing/demand.js'
import type { ObservedDemand } from '../../engine/indexing/rank-indexes.js'

export type ObservedDemands = ReturnType<typeof createObservedDemands>

export type ObservedDemandsOptions = Readonly<{
  /** Returns a time in milliseconds, on any clock. */
  now: () => number
  /**
   * A kind of query counts as frequent, so that an index is considered for it, after `minRequests` requests and `minMs`
   * milliseconds since the first of them.
   */
  minRequests: number
  minMs: number
  /** Maximum number of kinds in memory. Beyond it, the least frequent ones are discarded. */
  most?: number
}>

type TrackedDemand = {
  readonly demand: Demand
  readonly firstAt: number
  requests: number
  counted: number
  rows: number
  isRecent: boolean
  /** Whether the kind was frequent at the last `takeRecent`. */
  wasFrequent: boolean
}

const halfLifeMs = 86_400_000
const usualMost = 256
/**
 * Maximum number of rows that are counted for one query. Skipped rows count too, because the database has to read them.
 */
const mostRows = 100_000

/**
 * Counts the recent queries of this process, grouped by kind. Queries of the same kind need the same index (`Demand`).
 * The number of kinds is limited.
 */
export function createObservedDemands(options: ObservedDemandsOptions) {
  const { now, minRequests, minMs, most = usualMost } = options
  const tracked = new Map<string, TrackedDemand>()
  // Kinds by a query's list of sort keys. All plans of a prepared query share that list while the query is cached.
  let byQuery = new WeakMap<ReadPlan['sort'], readonly TrackedDemand[]>()
  const writes = new Map<string, number>()
  let decayedAt = now()

  const learn = (plan: ReadPlan): readonly TrackedDemand[] => {
    const kinds = demandsOf(plan).map((demand) => {
      const key = keyOf(demand)
      const counts = { requests: 0, counted: 0, rows: 0, isRecent: false, wasFrequent: false }
      const kind = tracked.get(key) ?? { demand, firstAt: now(), ...counts }
      tracked.set(key, kind)
      return kind
    })
    byQuery.set(plan.sort, kinds)
    return kinds
  }
  /**
   * Discards the least frequent kinds; of equally frequent ones, the oldest. Discards a quarter at once, because it
   * would take too long to sort all kinds for each new one.
   */
  const forgetRarest = (): void => {
    const byRequests = [...tracked].sort(([, a], [, b]) => a.requests - b.requests)
    for (const [key] of byRequests.slice(0, most / 4)) tracked.delete(key)
    byQuery = new WeakMap()
  }
  const decay = (): void => {
    const factor = 0.5 ** (Math.max(0, now() - decayedAt) / halfLifeMs)
    decayedAt = now()
    for (const it of tracked.values()) {
      it.requests *= factor
      it.counted *= factor
      it.rows *= factor
    }
    for (const [uid, count] of writes) writes.set(uid, count * factor)
  }
  const isFrequent = ({ requests, firstAt }: TrackedDemand): boolean =>
    requests >= minRequests && now() - firstAt >= minMs
  const show = (it: TrackedDemand): ObservedDemand => ({
    demand: it.demand,
    requests: it.requests,
    counted: it.counted,
    rows: it.requests === 0 ? 0 : it.rows / it.requests,
    isFrequent: isFrequent(it),
  })
  return {
    /** Counts a list query that is about to run. For a known prepared query, this takes only a few additions. */
    note: (plan: ReadPlan): void => {
      if (plan.answer !== 'list') return
      for (const it of byQuery.get(plan.sort) ?? learn(plan)) {
        it.requests += 1
        it.rows += Math.min(plan.skip + plan.limit, mostRows)
        if (plan.pagination?.total === 'count') it.counted += 1
        it.isRecent = true
      }
      if (tracked.size > most) forgetRarest()
    },
    wrote: (uid: string): void => void writes.set(uid, (writes.get(uid) ?? 0) + 1),
    /** Returns all kinds with their counts, which halve every day. */
    list: (): readonly ObservedDemand[] => {
      decay()
      return [...tracked.values()].map(show)
    },
    /** Returns the kinds that were counted since the last call. */
    takeRecent: (): readonly ObservedDemand[] => {
      decay()
      const recent = [...tracked.values()].filter((it) => it.isRecent)
      for (const it of tracked.values()) {
        it.wasFrequent = isFrequent(it)
        it.isRecent = false
      }
      return recent.map(show)
    },
    /** Returns the approximate number of writes in the last day. */
    writesTo: (uid: string): number => writes.get(uid) ?? 0,
    /** Whether any query was counted since the last `takeRecent`. */
    isRecent: (): boolean => [...tracked.values()].some((it) => it.isRecent),
    /** Whether any kind has become frequent since the last `takeRecent`. */
    hasNew: (): boolean => [...tracked.values()].some((it) => !it.wasFrequent && isFrequent(it)),
    size: (): number => tracked.size,
  }
}

/** Returns an executor that counts every read before it runs it. */
export function countingExecutor(
  executor: Executor,
  { note }: Pick<ObservedDemands, 'note'>,
): Executor {
  return {
    ...executor,
    run: (plan, options) => {
      note(plan)
      return executor.run(plan, options)
    },
  }
}
