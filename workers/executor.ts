import type { Db } from 'mongodb'
import type { Piscina } from 'piscina'
import { ApiError, fail } from '../engine/errors.js'
import { createTotalMemory } from './total-memory.js'
import type { ReadPlan } from '../engine/plan/read-plan.js'
import type { ReadReply, ReadTask } from './messages.js'
import type { RunAnswer, RunOptions } from './run-read.js'
import { runRead } from './run-read.js'

/** Runs a plan in one lane. */
export type Lane = (plan: ReadPlan, options: RunOptions) => Promise<RunAnswer | null>

/** On this thread. */
export function inlineLane(db: Db): Lane {
  return (plan, options) => runRead(plan, db, options)
}

/** In the pool. Throws 503 with `Retry-After` when too many plans wait already, 500 when the worker died. */
export function pooledLane(pool: Piscina<ReadTask, ReadReply>): Lane {
  return async (plan, options) => {
    const reply = await runInPool(pool, plan, options)
    if (reply.kind === 'error') throw new ApiError(reply.error)
    return reply.kind === 'none' ? null : reply
  }
}

async function runInPool(
  pool: Piscina<ReadTask, ReadReply>,
  plan: ReadPlan,
  { signal, total }: RunOptions,
): Promise<ReadReply> {
  if (pool.queueSize >= pool.options.maxQueue) {
    throw fail(
      'unavailable',
      { message: 'Too many heavy queries are waiting (pool.queueLimit)' },
      {},
      { 'Retry-After': '1' },
    )
  }
  return pool.run({ plan, total }, signal === undefined ? {} : { signal })
}

/** Runs plans; what the engine's `Executor` asks for. */
export type LaneExecutor = Readonly<{
  run: (plan: ReadPlan, signal?: AbortSignal) => Promise<RunAnswer | null>
  /** To be called after this process has written: totals that were remembered are forgotten. */
  changed: () => void
}>

/** Cheap plans in one lane, heavy ones in the other, by the cost from which `pool.costThreshold` says so. */
export function laneExecutor(inline: Lane, pooled: Lane, costThreshold: number): LaneExecutor {
  const totals = createTotalMemory()
  return {
    changed: totals.forget,
    run: async (plan, signal) => {
      const lane = plan.cost < costThreshold ? inline : pooled
      if (plan.pagination?.total !== 'count') return lane(plan, { signal })
      const { total, remember } = totals.recall(plan)
      const answer = await lane(plan, { signal, total })
      if (total === undefined && typeof answer?.total === 'number') remember(answer.total)
      return answer
    },
  }
}

/** Everything on this thread. */
export function inlineExecutor(db: Db): LaneExecutor {
  return laneExecutor(inlineLane(db), inlineLane(db), Infinity)
}
