import type { Db } from 'mongodb'
import { laneOf } from '../engine/read/cost/lane.js'
import type { Admission } from './admission.js'
import type { Lanes } from './executor.js'
import { inlineCost, pooledLane, queuedLane } from './executor.js'
import type { Pool } from './pool.js'

export type LanesOptions = Readonly<{
  db: Db
  pool: Pool
  admission: Admission
  /** `pool.costThreshold`: plans of at least this cost run in the pool. */
  costThreshold: number
  /** `api.rest.maxInlineReads`. */
  maxInlineReads: number
}>

/** Delay of the event loop under any load, in milliseconds. */
const usualDelayMs = 20
/** Delay beyond `usualDelayMs` that halves the cost threshold, in milliseconds. */
const lateMs = 50

/**
 * Runs cheap plans and larger ones on the main thread, each in their own queue, and expensive ones in the pool. The
 * threshold is lower while the event loop is late.
 */
export function admittedLanes({
  db,
  pool,
  admission,
  costThreshold,
  maxInlineReads,
}: LanesOptions): Lanes {
  const cheap = admission.line({ name: 'cheap', places: maxInlineReads, overflows: true })
  const places = Math.max(1, Math.floor(maxInlineReads / 4))
  const larger = admission.line({ name: 'larger', places, overflows: true })
  const cheapLane = queuedLane(db, cheap)
  const largerLane = queuedLane(db, larger)
  const heaviest = pooledLane(pool)
  return {
    heaviest,
    maxInlineCost: inlineCost(costThreshold),
    laneFor: (cost) => {
      if (cost < costThreshold / 10) return cheapLane
      const late = Math.max(0, admission.lateness() - usualDelayMs)
      const lane = laneOf(cost, costThreshold / (1 + late / lateMs))
      return lane === 'inline' ? largerLane : heaviest
    },
  }
}
