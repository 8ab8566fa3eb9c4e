import type { Executor, ReadPlan } from '../../engine/read.js'
import type { Demand } from '../../engine/indexing/demand.js'
import { demandsOf, keyOf } from '../../engine/indexing/demand.js'
import type { ObservedDemand } from '../../engine/indexing/rank-indexes.js'

/**
 * Recent queries of this process, grouped by kind. Queries of the same kind need the same index (`Demand`). The number
 * of kinds is limited.
 */
export type ObservedDemands = Readonly<{
  /** Counts a list query that is about to run. For a known prepared query, this takes only a few additions. */
  note: (plan: ReadPlan) => void
  wrote: (uid: string) => void
  /** Returns all kinds with their counts, which halve every day. */
  list: () => readonly ObservedDemand[]
  /** Returns the kinds that were counted since the last call. */
  takeRecent: () => readonly ObservedDemand[]
  /** Returns the approximate number of writes in the last day. */
  writesTo: (uid: string) => number
  /** Whether any query was counted since the last `takeRecent`. */
  isRecent: () => boolean
  /** Whether any kind has become frequent since the last `takeRecent`. */
  hasNew: () => boolean
  size: () => number
}>

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
  isForgotten: boolean
}

const halfLifeMs = 86_400_000
const usualMost = 256
/**
 * Maximum number of rows that are counted for one query. Skipped rows count too, because the database has to read them.
 */
const mostRows = 100_000

export function createObservedDemands(options: ObservedDemandsOptions): ObservedDemands {
  const { now, minRequests, minMs, most = usualMost } = options
  const tracked = new Map<string, TrackedDemand>()
  // Kinds by a query's list of sort keys. All plans of a prepared query share that list while the query is cached.
  const byShape = new WeakMap<ReadPlan['sort'], readonly TrackedDemand[]>()
  const writes = new Map<string, number>()
  let decayedAt = now()
  let isRecent = false

  const learn = (plan: ReadPlan): readonly TrackedDemand[] =>
    demandsOf(plan).map((demand) => {
      const key = keyOf(demand)
      const known = tracked.get(key)
      if (known !== undefined) return known
      if (tracked.size >= most) forgetRarest(tracked, Math.ceil(most / 4))
      const made: TrackedDemand = {
        demand,
        firstAt: now(),
        requests: 0,
        counted: 0,
        rows: 0,
        isRecent: false,
        wasFrequent: false,
        isForgotten: false,
      }
      tracked.set(key, made)
      return made
    })
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
    note: (plan) => {
      if (plan.answer !== 'list') return
      let known = byShape.get(plan.sort)
      if (known === undefined || known.some((it) => it.isForgotten)) {
        known = learn(plan)
        byShape.set(plan.sort, known)
      }
      const isCounted = plan.pagination?.total === 'count'
      for (const it of known) {
        it.requests += 1
        it.rows += Math.min(plan.skip + plan.limit, mostRows)
        if (isCounted) it.counted += 1
        it.isRecent = true
        isRecent = true
      }
    },
    wrote: (uid) => void writes.set(uid, (writes.get(uid) ?? 0) + 1),
    list: () => {
      decay()
      return [...tracked.values()].map(show)
    },
    takeRecent: () => {
      decay()
      isRecent = false
      return [...tracked.values()].flatMap((it) => {
        it.wasFrequent = isFrequent(it)
        if (!it.isRecent) return []
        it.isRecent = false
        return [show(it)]
      })
    },
    writesTo: (uid) => writes.get(uid) ?? 0,
    isRecent: () => isRecent,
    hasNew: () => [...tracked.values()].some((it) => !it.wasFrequent && isFrequent(it)),
    size: () => tracked.size,
  }
}

/**
 * Discards the least frequent kinds; of equally frequent ones, the oldest. Discards many at once, because it would take
 * too long to sort all kinds for each new one.
 */
function forgetRarest(tracked: Map<string, TrackedDemand>, count: number): void {
  const byRequests = [...tracked].sort(([, a], [, b]) => a.requests - b.requests)
  for (const [key, it] of byRequests.slice(0, count)) {
    it.isForgotten = true
    tracked.delete(key)
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
