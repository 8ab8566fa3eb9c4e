import type { Db } from 'mongodb'
import { ApiError } from '../engine/errors.js'
import { isOverdue, tookTooLong } from '../engine/errors/database-errors.js'
import type { LiveCounts } from '../engine/database/live-counts.js'
import type { Executor, ReadAnswer } from '../engine/read/execute/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import { mergeTimeline } from '../engine/timeline.js'
import type { Queue } from './admission.js'
import { startBudget } from '../engine/read/execute/budget.js'
import type { Clock } from '../engine/monotonic-now.js'
import { inTime } from './in-time.js'
import { runInQueue } from './run-in-queue.js'
import type { ReadRunner } from './read-runner.js'
import { BeyondInline } from './meter.js'
import type { Pool } from './pool.js'
import type { RunOptions } from './run-read.js'
import { runRead } from './run-read.js'
import type { TotalMemory } from './known-totals.js'
import { executionModeOf } from '../engine/read/cost/execution-mode.js'

/** Creates a runner that executes plans on this thread. */
export function inlineRunner(db: Db): ReadRunner {
  return (plan, options) => inTime(options.budget, () => runRead(plan, db, options))
}

/** Creates a runner that executes plans on this thread, as many at a time as the queue has slots. */
export function queuedRunner(db: Db, queue: Queue): ReadRunner {
  return (plan, options) =>
    inTime(options.budget, () =>
      runInQueue(queue, options.request, () => runRead(plan, db, options)),
    )
}

/** Creates a runner for the worker pool. It ignores `written`: a document just written is read from the database. */
export function pooledRunner(pool: Pool): ReadRunner {
  return async (plan, options) => {
    const reply = await pool.run(plan, options)
    mergeTimeline(options.timeline, reply.timeline)
    if (reply.kind === 'error') throw new ApiError(reply.error)
    return reply.kind === 'none' ? null : reply
  }
}

/** The runners by cost of the plan. */
export type Runners = Readonly<{
  runnerFor: (cost: number) => ReadRunner
  /** For the most expensive plans. */
  heaviest: ReadRunner
  /** Maximum measured cost of a read. Beyond it, the read starts again with `heaviest`. */
  maxInlineCost: number
}>

/** Uses `inline` below `costThreshold`, otherwise `pooled`. */
export function twoRunners(inline: ReadRunner, pooled: ReadRunner, costThreshold: number): Runners {
  return {
    runnerFor: (cost) => (executionModeOf(cost, costThreshold) === 'inline' ? inline : pooled),
    heaviest: pooled,
    maxInlineCost: inlineCost(costThreshold),
  }
}

/**
 * Creates an executor that runs each plan in the mode for its cost, within `api.rest.queryTimeoutMs`. A known total
 * reduces the cost. A read that turns out to be expensive starts again in the mode for expensive reads. The mode does
 * not affect the response.
 */
export function createExecutor(
  { runnerFor, heaviest, maxInlineCost }: Runners,
  { checkOutputBuffer, totals, known, clock }: ExecutorOptions = {},
): Executor {
  return {
    changed: () => totals?.forget(),
    run: async (plan, { signal: clientSignal, written, client, timeline } = {}) => {
      const { timeoutMs } = plan
      const budget = client?.budget ?? startBudget(timeoutMs, clock)
      const runWith = (
        runner: ReadRunner,
        cost: number,
        options: MoreOptions,
      ): Promise<ReadAnswer | null> =>
        runner(plan, {
          ...options,
          budget,
          timeline,
          request: { cost, ...budget, client, signal: clientSignal, timeline },
        })
      const run = async (cost: number, total?: number): Promise<ReadAnswer | null> => {
        const runner = runnerFor(cost)
        if (runner === heaviest) {
          // A read without a client fetches the response to a write that has taken effect, so it is never refused.
          if (client !== undefined) await checkOutputBuffer?.(plan.answerBytes)
          return runWith(heaviest, cost, { total, signal: clientSignal })
        }
        const signal = isOneEntry(plan) ? undefined : clientSignal
        try {
          return await runWith(runner, cost, { total, signal, written, maxCost: maxInlineCost })
        } catch (error) {
          if (!(error instanceof BeyondInline)) throw error
          // The total of one snapshot may be wrong in another.
          const known = plan.snapshot === true ? undefined : (error.total ?? total)
          return runWith(heaviest, maxInlineCost, { total: known, signal: clientSignal })
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
  /** Throws a 503 if the output buffers have no room for about `answerBytes` bytes. */
  checkOutputBuffer?: ((answerBytes: number) => Promise<void>) | undefined
  /** Cache of totals; default: every total is counted. */
  totals?: TotalMemory | undefined
  /** Sizes of whole collections, for lists without filters; default: these are counted like others. */
  known?: KnownLists | undefined
  /** For reads that have no time budget yet; default: `monotonicNow`. */
  clock?: Clock | undefined
}>

/** Only used for lists that cost at least `fromCost` to count. */
type KnownLists = Readonly<{ counts: LiveCounts; fromCost: number }>

/**
 * Returns the locales of a list that contains all their entries; null for all locales. Undefined if the list has other
 * conditions, or if counting is cheap.
 */
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

/** Added to the error of a read that exceeded its time limit. */
const withoutTotal = 'If counting takes long, leave the total out with pagination[withCount]=false'

/** Returns the maximum measured cost of a read on the main thread, twice the estimated cost that is allowed there. */
export const inlineCost = (costThreshold: number): number => 2 * costThreshold

/** Reading a single entry ends before a disconnect is noticed, and listening for it would take a tenth of the time. */
const isOneEntry = ({ answer, cost }: ReadPlan): boolean => answer === 'one' && cost < 10

/** Runs all plans on this thread, without queues. */
export function inlineExecutor(db: Db): Executor {
  return createExecutor(twoRunners(inlineRunner(db), inlineRunner(db), Infinity))
}
