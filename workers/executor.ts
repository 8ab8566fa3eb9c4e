import type { Db } from 'mongodb'
import type { Piscina } from 'piscina'
import { ApiError, fail } from '../engine/errors.js'
import type { ReadPlan } from '../engine/plan/read-plan.js'
import type { ReadReply, ReadTask } from './messages.js'
import type { RunAnswer } from './run-read.js'
import { runRead } from './run-read.js'

/** Runs plans; the same shape as the engine's `Executor`. */
export type LaneExecutor = Readonly<{
  run: (plan: ReadPlan, signal?: AbortSignal) => Promise<RunAnswer | null>
}>

/** On this thread. */
export function inlineExecutor(db: Db): LaneExecutor {
  return { run: (plan, signal) => runRead(plan, db, signal) }
}

/** In the pool. Throws 503 with `Retry-After` when too many plans wait already, 500 when the worker died. */
export function pooledExecutor(pool: Piscina<ReadTask, ReadReply>): LaneExecutor {
  return {
    run: async (plan, signal) => {
      const reply = await runInPool(pool, plan, signal)
      if (reply.kind === 'error') throw new ApiError(reply.error)
      return reply.kind === 'none' ? null : reply
    },
  }
}

async function runInPool(
  pool: Piscina<ReadTask, ReadReply>,
  plan: ReadPlan,
  signal?: AbortSignal,
): Promise<ReadReply> {
  if (pool.queueSize >= pool.options.maxQueue) {
    throw fail(
      'unavailable',
      { message: 'Too many heavy queries are waiting (pool.queueLimit)' },
      {},
      { 'Retry-After': '1' },
    )
  }
  return pool.run({ plan }, signal === undefined ? {} : { signal })
}

/** Cheap plans here, heavy ones in the pool, by the cost from which `pool.costThreshold` says so. */
export function laneExecutor(
  inline: LaneExecutor,
  pooled: LaneExecutor,
  costThreshold: number,
): LaneExecutor {
  return {
    run: (plan, signal) => (plan.cost < costThreshold ? inline : pooled).run(plan, signal),
  }
}
