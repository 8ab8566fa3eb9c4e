/** Where a plan is run: on the main thread, or in a thread of the pool. */
export type LaneName = 'inline' | 'pool'

/** By its cost: from `pool.costThreshold` on in the pool. */
export function laneOf(cost: number, costThreshold: number): LaneName {
  return cost < costThreshold ? 'inline' : 'pool'
}
