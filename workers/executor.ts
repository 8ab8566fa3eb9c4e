import type { Db } from 'mongodb'
import { ApiError } from '../engine/errors.js'
import type { ReadPlan } from '../engine/plan/read-plan.js'
import { inTime, startBudget } from './budget.js'
import type { Pool } from './pool.js'
import type { RunAnswer, RunOptions } from './run-read.js'
import { runRead } from './run-read.js'
import { createTotalMemory } from './total-memory.js'

/** Runs a plan in one lane. */
export type Lane = (plan: ReadPlan, options: RunOptions) => Promise<RunAnswer | null>

/** On this thread. */
export function inlineLane(db: Db): Lane {
  return (plan, options) => inTime(options.budget, () => runRead(plan, db, options))
}

/** In the pool, which reads again what was written just now. */
export function pooledLane(pool: Pool): Lane {
  return async (plan, options) => {
    const reply = await pool.run(plan, options)
    if (reply.kind === 'error') throw new ApiError(reply.error)
    return reply.kind === 'none' ? null : reply
  }
}

/** Runs plans; what the engine's `Executor` asks for. */
export type LaneExecutor = Readonly<{
  run: (plan: ReadPlan, signal?: AbortSignal, written?: Uint8Array) => Promise<RunAnswer | null>
  /** To be called after this process has written: totals that were remembered are forgotten. */
  changed: () => void
}>

/**
 * Cheap plans in one lane, heavy ones in the other, by the cost from which `pool.costThreshold` says so;
 * in both within `api.rest.queryTimeoutMs`, and no longer than the client waits.
 */
export function laneExecutor(inline: Lane, pooled: Lane, costThreshold: number): LaneExecutor {
  const totals = createTotalMemory()
  return {
    changed: totals.forget,
    run: async (plan, client, written) => {
      const laneFor = (cost: number): Lane => (cost < costThreshold ? inline : pooled)
      const budget = startBudget(plan.timeoutMs)
      const options = { budget, signal: isOneEntry(plan) ? undefined : client, written }
      if (plan.pagination?.total !== 'count') return laneFor(plan.cost)(plan, options)
      const { total, remember } = totals.recall(plan)
      const cost = total === undefined ? plan.cost : plan.cost - plan.totalCost
      const answer = await laneFor(cost)(plan, { ...options, total })
      if (total === undefined && typeof answer?.total === 'number') remember(answer.total)
      return answer
    },
  }
}

/** One entry and nothing else is read before a disconnect is heard of; listening would cost a tenth of it. */
const isOneEntry = ({ answer, cost }: ReadPlan): boolean => answer === 'one' && cost < 2

/** Everything on this thread. */
export function inlineExecutor(db: Db): LaneExecutor {
  return laneExecutor(inlineLane(db), inlineLane(db), Infinity)
}
