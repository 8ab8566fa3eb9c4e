import type { Db } from 'mongodb'
import { ApiError } from '../engine/errors.js'
import { isOverdue, tookTooLong } from '../engine/errors/database-errors.js'
import type { LiveCounts } from '../engine/database/live-counts.js'
import type { Executor, ReadAnswer } from '../engine/read/run/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import { mergeTimeline } from '../engine/timeline.js'
import type { Line } from './admission.js'
import { startBudget } from '../engine/read/run/budget.js'
import type { Clock } from '../engine/steady-now.js'
import { inTime } from './in-time.js'
import { inLine } from './in-line.js'
import type { Lane } from './lane.js'
import { BeyondInline } from './meter.js'
import type { Pool } from './pool.js'
import type { RunOptions } from './run-read.js'
import { runRead } from './run-read.js'
import type { TotalMemory } from './known-totals.js'
import { laneOf } from '../engine/read/cost/lane.js'

/** On this thread. */
export function inlineLane(db: Db): Lane {
  return (plan, options) => inTime(options.budget, () => runRead(plan, db, options))
}

/** On this thread, so many at a time. */
export function queuedLane(db: Db, line: Line): Lane {
  return (plan, options) =>
    inTime(options.budget, () => inLine(line, options.asked, () => runRead(plan, db, options)))
}

/** In the pool, which reads again what was written just now. */
export function pooledLane(pool: Pool): Lane {
  return async (plan, options) => {
    const reply = await pool.run(plan, options)
    mergeTimeline(options.timeline, reply.timeline)
    if (reply.kind === 'error') throw new ApiError(reply.error)
    return reply.kind === 'none' ? null : reply
  }
}

/** Which lane is for which cost. */
export type Lanes = Readonly<{
  laneFor: (cost: number) => Lane
  /** That of what is heaviest. */
  heaviest: Lane
  /** What a read may cost in the others by its meter; it goes on in the heaviest. */
  maxInlineCost: number
}>

/** Below a cost one lane, from there on the other. */
export function twoLanes(inline: Lane, pooled: Lane, costThreshold: number): Lanes {
  return {
    laneFor: (cost) => (laneOf(cost, costThreshold) === 'inline' ? inline : pooled),
    heaviest: pooled,
    maxInlineCost: inlineCost(costThreshold),
  }
}

/**
 * The lane of a plan by its cost, in each within `api.rest.queryTimeoutMs`, and no longer than the client waits.
 * Where the list's total is known already, its part of the cost is not counted.
 * What turns out to be heavy begins again in the lane for that; its bytes are the same.
 */
export function laneExecutor(
  { laneFor, heaviest, maxInlineCost }: Lanes,
  { checkRoom, totals, known, clock }: ExecutorOptions = {},
): Executor {
  return {
    changed: () => totals?.forget(),
    run: async (plan, { signal: client, written, asker, timeline } = {}) => {
      const { timeoutMs } = plan
      const budget = asker?.budget ?? startBudget(timeoutMs, clock)
      const runIn = (lane: Lane, cost: number, options: MoreOptions): Promise<ReadAnswer | null> =>
        lane(plan, {
          ...options,
          budget,
          timeline,
          asked: { cost, ...budget, asker, signal: client, timeline },
        })
      const run = async (cost: number, total?: number): Promise<ReadAnswer | null> => {
        const lane = laneFor(cost)
        if (lane === heaviest) {
          // Where nobody asks, it is the answer of a write that is done.
          if (asker !== undefined) await checkRoom?.(plan.answerBytes)
          return runIn(heaviest, cost, { total, signal: client })
        }
        const signal = isOneEntry(plan) ? undefined : client
        try {
          return await runIn(lane, cost, { total, signal, written, maxCost: maxInlineCost })
        } catch (error) {
          if (!(error instanceof BeyondInline)) throw error
          // What was counted in one snapshot is not the total of another.
          const known = plan.snapshot === true ? undefined : (error.total ?? total)
          return runIn(heaviest, maxInlineCost, { total: known, signal: client })
        }
      }
      if (plan.pagination?.total !== 'count' || plan.snapshot === true) return run(plan.cost)
      const list = known === undefined ? undefined : wholeList(plan, known)
      const count =
        list && (await known?.counts.countOf(plan.collection, list.locales, budget.left()))
      if (count === 'late') throw tookTooLong(budget.timeoutMs, withoutTotal)
      if (count !== undefined) {
        const answer = await run(plan.cost - plan.totalCost, count)
        return answer && { ...answer, isCarried: true }
      }
      const { total, remember } = totals?.recall(plan) ?? {}
      if (total !== undefined) return run(plan.cost - plan.totalCost, total)
      const answer = await run(plan.cost).catch((error: unknown) => {
        throw isOverdue(error) ? tookTooLong(budget.timeoutMs, withoutTotal) : error
      })
      if (typeof answer?.total === 'number') remember?.(answer.total)
      return answer
    },
  }
}

type ExecutorOptions = Readonly<{
  /** Throws 503 where an answer of about so many bytes could not be handed over. */
  checkRoom?: ((answerBytes: number) => Promise<void>) | undefined
  /** Remembers totals; default: each is counted. */
  totals?: TotalMemory | undefined
  /** Totals of whole lists; default: they are counted like any other. */
  known?: KnownLists | undefined
  /** What the time of a read is measured by that brings none of its own; default: `steadyNow`. */
  clock?: Clock | undefined
}>

/** Totals of whole lists; those whose counting costs less than `fromCost` are counted. */
type KnownLists = Readonly<{ counts: LiveCounts; fromCost: number }>

/** In which locales a plan lists all there is; undefined where it leaves something out, or has little to count. */
function wholeList(
  { match, chain, totalCost }: ReadPlan,
  { fromCost }: KnownLists,
): Readonly<{ locales: readonly string[] | null }> | undefined {
  if (totalCost < fromCost || chain !== undefined) return undefined
  if (match.kind !== 'all' || match.of.length > 1) return undefined
  const [condition] = match.of
  if (condition === undefined) return { locales: null }
  if (condition.kind !== 'test' || condition.path !== 'locale') return undefined
  if (condition.test.op !== 'in') return undefined
  const values = condition.test.values.map(({ value }) => value)
  const locales = values.filter((value) => typeof value === 'string')
  return locales.length === values.length ? { locales: [...new Set(locales)] } : undefined
}

type MoreOptions = Omit<RunOptions, 'budget'>

/** What may help where the time is over. */
const withoutTotal =
  'If the total takes long to count, leave it out with pagination[withCount]=false'

/** A read on the main thread goes on in the pool once it has cost twice what one there may cost by estimate. */
export const inlineCost = (costThreshold: number): number => 2 * costThreshold

/** One entry and nothing else is read before a disconnect is heard of; listening would cost a tenth of it. */
const isOneEntry = ({ answer, cost }: ReadPlan): boolean => answer === 'one' && cost < 10

/** Everything on this thread, as it comes. */
export function inlineExecutor(db: Db): Executor {
  return laneExecutor(twoLanes(inlineLane(db), inlineLane(db), Infinity))
}
