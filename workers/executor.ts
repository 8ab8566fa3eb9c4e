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

/** Runs plans on this thread. */
export function inlineRunner(db: Db): ReadRunner {
  return (plan, options) => inTime(options.budget, () => runRead(plan, db, options))
}

/** Runs plans on this thread, a limited number at a time. */
export function queuedRunner(db: Db, queue: Queue): ReadRunner {
  return (plan, options) =>
    inTime(options.budget, () =>
      runInQueue(queue, options.request, () => runRead(plan, db, options)),
    )
}

/** Runs plans in the pool. Ignores `written`, so the document of a write is read again. */
export function pooledRunner(pool: Pool): ReadRunner {
  return async (plan, options) => {
    const reply = await pool.run(plan, options)
    mergeTimeline(options.timeline, reply.timeline)
    if (reply.kind === 'error') throw new ApiError(reply.error)
    return reply.kind === 'none' ? null : reply
  }
}

/** Chooses the runner for a cost. */
export type Runners = Readonly<{
  runnerFor: (cost: number) => ReadRunner
  /** The runner of the most expensive plans. */
  heaviest: ReadRunner
  /** Maximum measured cost of a read in the other modes. Beyond it, the read restarts with the `heaviest` runner. */
  maxInlineCost: number
}>

/** Uses `inline` for costs below `costThreshold`, and `pooled` for all others. */
export function twoRunners(inline: ReadRunner, pooled: ReadRunner, costThreshold: number): Runners {
  return {
    runnerFor: (cost) => (executionModeOf(cost, costThreshold) === 'inline' ? inline : pooled),
    heaviest: pooled,
    maxInlineCost: inlineCost(costThreshold),
  }
}

/**
 * Runs a plan in the mode for its cost, within `api.rest.queryTimeoutMs` and only while the client waits. If the list's
 * total is already known, subtracts the cost of counting. A read that turns out to be expensive restarts in the mode
 * for expensive reads. Its response has the same bytes in every mode.
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
          // A read without a client is the response of a finished write and is not refused.
          if (client !== undefined) await checkOutputBuffer?.(plan.answerBytes)
          return runWith(heaviest, cost, { total, signal: clientSignal })
        }
        const signal = isOneEntry(plan) ? undefined : clientSignal
        try {
          return await runWith(runner, cost, { total, signal, written, maxCost: maxInlineCost })
        } catch (error) {
          if (!(error instanceof BeyondInline)) throw error
          // A total that was counted in one snapshot may be wrong in another.
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
  /** Throws 503 if the output buffers have no room for a response of about this size. */
  checkOutputBuffer?: ((answerBytes: number) => Promise<void>) | undefined
  /** Remembers totals; default: each total is counted. */
  totals?: TotalMemory | undefined
  /** Totals of whole lists; default: they are counted as the totals of other lists. */
  known?: KnownLists | undefined
  /** Measures the time of a read that brings no budget; default: `monotonicNow`. */
  clock?: Clock | undefined
}>

/** Totals of whole lists. Lists whose counting costs less than `fromCost` are counted. */
type KnownLists = Readonly<{ counts: LiveCounts; fromCost: number }>

/** Returns the locales of which a plan lists all entries; undefined if it filters entries, or if counting is cheap. */
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

/** Advice for the error of a read that took too long. */
const withoutTotal = 'If counting takes long, leave the total out with pagination[withCount]=false'

/**
 * Maximum measured cost of a read on the main thread: twice the estimated cost that is allowed there. Beyond it, the
 * read moves to the pool.
 */
export const inlineCost = (costThreshold: number): number => 2 * costThreshold

/**
 * Whether a read is a cheap read of one entry. It ends before a disconnect is noticed, and listening for a disconnect
 * would take a tenth of its time.
 */
const isOneEntry = ({ answer, cost }: ReadPlan): boolean => answer === 'one' && cost < 10

/** Runs everything on this thread, without a queue. */
export function inlineExecutor(db: Db): Executor {
  return createExecutor(twoRunners(inlineRunner(db), inlineRunner(db), Infinity))
}
