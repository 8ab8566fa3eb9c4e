/** On the main thread, or in a thread of the pool. */
export type ExecutionMode = 'inline' | 'pool'

/** Chooses the pool for plans that cost at least `pool.costThreshold`. */
export function executionModeOf(cost: number, costThreshold: number): ExecutionMode {
  return cost < costThreshold ? 'inline' : 'pool'
}
