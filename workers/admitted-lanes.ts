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
  /** `pool.costThreshold`: from which cost on a plan runs in the pool. */
  costThreshold: number
  /** `api.rest.maxInlineReads`. */
  maxInlineReads: number
}>

/** A delay of the event loop, in milliseconds, that any load brings with it. */
const usualDelayMs = 20
/** One beyond it with which plans of half the cost run in the pool. */
const lateMs = 50

/**
 * Cheap plans and larger ones on the main thread, each in a line of their own, and heavy ones in the pool. Where
 * the event loop is late, less is heavy.
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
