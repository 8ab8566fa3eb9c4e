import { LRUCache } from 'lru-cache'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/** Totals that were counted a moment ago (docs/storage.md, "Totals"). */
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
/**
 * From this age on, who asks next counts again, and the others take what is remembered meanwhile: else all
 * that ask in the moment of its end would count, each of them.
 */
const recountMs = lifeMs / 2
/** Different filters whose totals are remembered. */
const maxTotals = 1000
/** Longer filters, of thousands of values, are rarely sent twice, and a thousand of them would fill the memory. */
const maxKeyLength = 4096

type Known = { total: number; countedAt: number; isRecounted: boolean }

export function createTotalMemory(now: () => number = () => performance.now()): TotalMemory {
  const totals = new LRUCache<string, Known>({ max: maxTotals })
  let generation = 0
  const recall = (key: string): number | undefined => {
    const known = totals.get(key)
    const age = known === undefined ? Infinity : now() - known.countedAt
    if (known === undefined || age >= lifeMs) return undefined
    if (age < recountMs || known.isRecounted) return known.total
    known.isRecounted = true
    return undefined
  }
  return {
    recall: (plan) => {
      const key = `${plan.collection} ${JSON.stringify(plan.match)}`
      if (key.length > maxKeyLength) return { total: undefined, remember: () => undefined }
      const started = generation
      return {
        total: recall(key),
        remember: (total) => {
          if (generation !== started) return
          totals.set(key, { total, countedAt: now(), isRecounted: false })
        },
      }
    },
    forget: () => {
      generation += 1
      totals.clear()
    },
  }
}
