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
import { runRead } from './run-read.js'
import type { TotalMemory } from './known-totals.js'
import { executionModeOf } from '../engine/read/cost/cost.js'

/** Creates a runner that executes plans on this thread, as many at a time as the queue has slots. Default: no limit. */
export function inlineRunner(db: Db, queue?: Queue): ReadRunner {
  return (plan, options) => {
    const run = () => runRead(plan, db, options)
    return inTime(options.budget, () =>
      queue === undefined ? run() : runInQueue(queue, options.request, run),
    )
  }
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

/** Milliseconds of event loop delay that are normal under load. */
const usualDelayMs = 20
/** Milliseconds above `usualDelayMs` at which the cost threshold is halved. */
const lateMs = 50

type Runners = Readonly<{
  inline: ReadRunner
  pooled: ReadRunner
  /** Setting `pool.costThreshold`: plans with at least this cost run with `pooled`. */
  costThreshold: number
}>

/**
 * Creates an executor that runs each plan with the runner for its cost, within `api.rest.queryTimeoutMs`. If the total
 * is already known, the cost of counting is subtracted. A read whose measured cost is more than twice the threshold
 * starts again with `pooled`. Both runners return the same response.
 */
export function createExecutor(
  { inline, pooled, costThreshold }: Runners,
  { checkOutputBuffer, totals, known, clock, lateness = () => 0 }: ExecutorOptions = {},
): Executor {
  const maxCost = 2 * costThreshold
  /** While the event loop is late, all but cheap plans run in the pool from a lower cost on. */
  const thresholdFor = (cost: number): number => {
    const late = cost < costThreshold / 10 ? 0 : Math.max(0, lateness() - usualDelayMs)
    return costThreshold / (1 + late / lateMs)
  }
  return {
    run: async (plan, { signal: clientSignal, written, client, timeline } = {}) => {
      const { timeoutMs } = plan
      const budget = client?.budget ?? startBudget(timeoutMs, clock)
      const run = async (cost: number, total?: number): Promise<ReadAnswer | null> => {
        const request = { cost, ...budget, client, signal: clientSignal, timeline }
        const options = { budget, timeline, request, total, signal: clientSignal }
        if (executionModeOf(cost, thresholdFor(cost)) === 'pool') {
          // A read without a client fetches the response to a write that has taken effect, so it is never refused.
          if (client !== undefined) await checkOutputBuffer?.(plan.answerBytes)
          return pooled(plan, options)
        }
        const signal = isOneEntry(plan) ? undefined : clientSignal
        try {
          return await inline(plan, { ...options, signal, written, maxCost })
        } catch (error) {
          if (!(error instanceof BeyondInline)) throw error
          // The read starts again in a new snapshot, where the total of the previous snapshot may be wrong.
          const known = plan.snapshot === true ? undefined : (error.total ?? total)
          return pooled(plan, { ...options, total: known, request: { ...request, cost: maxCost } })
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
  /**
   * Sizes of whole collections, used as totals of lists without filters. Default: such lists are counted like others.
   */
  known?: KnownLists | undefined
  /** Returns the delay of the event loop in milliseconds. Default: always 0. */
  lateness?: (() => number) | undefined
  /** Clock for reads that have no time budget yet. Default: `monotonicNow`. */
  clock?: Clock | undefined
}>

/** `counts` is only used for lists whose counting costs at least `fromCost`. */
type KnownLists = Readonly<{ counts: LiveCounts; fromCost: number }>

/**
 * If a list contains all entries of some locales, returns these locales, or null for all locales. Returns undefined if
 * the list has other conditions than the locale, or if counting it is cheap.
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

/** Added to the error message of a read with a total that exceeded its time limit. */
const withoutTotal = 'If counting takes long, leave the total out with pagination[withCount]=false'

/** Reading a single entry ends before a disconnect is noticed, and listening for it would take a tenth of the time. */
const isOneEntry = ({ answer, cost }: ReadPlan): boolean => answer === 'one' && cost < 10

/** Runs all plans on this thread, without queues. */
export function inlineExecutor(db: Db): Executor {
  const inline = inlineRunner(db)
  return createExecutor({ inline, pooled: inline, costThreshold: Infinity })
}
