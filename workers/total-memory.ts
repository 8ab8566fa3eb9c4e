import { LRUCache } from 'lru-cache'
import type { ReadPlan } from '../engine/plan/read-plan.js'

/** Totals that were counted a moment ago (`storage.md`, "Totals"). */
export type TotalMemory = Readonly<{
  recall: (plan: ReadPlan) => Recalled
  /** Forgets everything: this process has written. */
  forget: () => void
}>

/** The total of a plan's match, if it is remembered, and how to remember it once it is counted. */
export type Recalled = Readonly<{
  total: number | undefined
  /** Does nothing where something was written since: the total may be from before. */
  remember: (total: number) => void
}>

/** Milliseconds; what other processes write shows after at most so long. */
const lifeMs = 1000
/** Different filters whose totals are remembered. */
const maxTotals = 1000

export function createTotalMemory(): TotalMemory {
  const totals = new LRUCache<string, number>({ max: maxTotals, ttl: lifeMs })
  let generation = 0
  return {
    recall: (plan) => {
      const key = `${plan.collection} ${JSON.stringify(plan.match)}`
      const started = generation
      return {
        total: totals.get(key),
        remember: (total) => {
          if (generation === started) totals.set(key, total)
        },
      }
    },
    forget: () => {
      generation += 1
      totals.clear()
    },
  }
}
