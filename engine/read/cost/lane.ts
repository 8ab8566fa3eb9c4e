/** Execution mode of a plan: on the main thread, or in a thread of the pool. */
export type LaneName = 'inline' | 'pool'

/** Chooses the execution mode by cost: the pool, from `pool.costThreshold` on. */
export function laneOf(cost: number, costThreshold: number): LaneName {
  return cost < costThreshold ? 'inline' : 'pool'
}
