import type { Db } from 'mongodb'
import { executionModeOf } from '../engine/read/cost/execution-mode.js'
import type { Admission } from './admission.js'
import type { Runners } from './executor.js'
import { inlineCost, pooledRunner, queuedRunner } from './executor.js'
import type { Pool } from './pool.js'

export type AdmittedRunnersOptions = Readonly<{
  db: Db
  pool: Pool
  admission: Admission
  /** `pool.costThreshold`: plans of at least this cost run in the pool. */
  costThreshold: number
  /** `api.rest.maxInlineReads`. */
  maxInlineReads: number
}>

/** Delay of the event loop that is normal under load, in milliseconds. */
const usualDelayMs = 20
/** Delay beyond `usualDelayMs` that halves the cost threshold, in milliseconds. */
const lateMs = 50

/**
 * Runs cheap and medium plans on the main thread, in separate queues, and expensive plans in the pool. The cost
 * threshold is lower while the event loop is late.
 */
export function admittedRunners({
  db,
  pool,
  admission,
  costThreshold,
  maxInlineReads,
}: AdmittedRunnersOptions): Runners {
  const cheap = admission.queue({ name: 'cheap', slots: maxInlineReads, overflows: true })
  const slots = Math.max(1, Math.floor(maxInlineReads / 4))
  const larger = admission.queue({ name: 'larger', slots, overflows: true })
  const cheapRunner = queuedRunner(db, cheap)
  const largerRunner = queuedRunner(db, larger)
  const heaviest = pooledRunner(pool)
  return {
    heaviest,
    maxInlineCost: inlineCost(costThreshold),
    runnerFor: (cost) => {
      if (cost < costThreshold / 10) return cheapRunner
      const late = Math.max(0, admission.lateness() - usualDelayMs)
      const mode = executionModeOf(cost, costThreshold / (1 + late / lateMs))
      return mode === 'inline' ? largerRunner : heaviest
    },
  }
}
