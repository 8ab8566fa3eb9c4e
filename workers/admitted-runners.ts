import type { Db } from 'mongodb'
import { executionModeOf } from '../engine/read/cost/cost.js'
import type { Admission } from './admission.js'
import type { Runners } from './executor.js'
import { inlineCost, pooledRunner, queuedRunner } from './executor.js'
import type { Pool } from './pool.js'

export type AdmittedRunnersOptions = Readonly<{
  db: Db
  pool: Pool
  admission: Admission
  /** Setting `pool.costThreshold`: plans with at least this cost run in the worker pool. */
  costThreshold: number
  /** Setting `api.rest.maxInlineReads`: how many cheap plans run on the main thread at a time. */
  maxInlineReads: number
}>

/** Milliseconds of event loop delay that are normal under load. */
const usualDelayMs = 20
/** Milliseconds above `usualDelayMs` at which the cost threshold is halved. */
const lateMs = 50

/**
 * Creates runners: for cheap and medium plans on the main thread, each with their own queue, and for expensive plans in
 * the worker pool. While the event loop is delayed, plans count as expensive from a lower cost on.
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
