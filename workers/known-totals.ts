import { LRUCache } from 'lru-cache'
import type { CollectionVersions, Watched } from '../engine/database/collection-versions.js'
import { collectionsOf } from '../engine/read/plan/collections-read.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/** Totals that were counted a moment ago (docs/storage.md, "Totals"). */
export type TotalMemory = Readonly<{
  recall: (plan: ReadPlan) => Recalled
  /** Forgets everything: this process has written. */
  forget: () => void
}>

/** The total of a plan's match, if it is remembered, and how to remember it once it is counted. */
type Recalled = Readonly<{
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

/** `version`: of the collections that were counted in; undefined where they have none. */
type Known = {
  total: number
  countedAt: number
  isRecounted: boolean
  version: number | undefined
}

/** @param versions of what this process writes: what was counted before a write is not the total of a read after it */
export function createTotalMemory(
  versions?: CollectionVersions,
  now: () => number = () => performance.now(),
): TotalMemory {
  const totals = new LRUCache<string, Known>({ max: maxTotals })
  let generation = 0
  const watch = (plan: ReadPlan): Watched | undefined =>
    versions?.watch([...collectionsOf({ ...plan, sort: [], node: nothingShown })])
  const recall = (key: string, version: number | undefined): number | undefined => {
    const known = totals.get(key)
    const age = known === undefined ? Infinity : now() - known.countedAt
    if (known === undefined || age >= lifeMs || known.version !== version) return undefined
    if (age < recountMs || known.isRecounted) return known.total
    known.isRecounted = true
    return undefined
  }
  return {
    recall: (plan) => {
      const key = `${plan.collection} ${plan.chain?.join() ?? ''} ${JSON.stringify(plan.match)}`
      if (key.length > maxKeyLength) return { total: undefined, remember: () => undefined }
      const started = generation
      const watched = watch(plan)
      const version = watched?.()
      const isWritten = watched !== undefined && version === undefined
      return {
        total: isWritten ? undefined : recall(key, version),
        remember: (total) => {
          if (generation !== started || isWritten || watched?.() !== version) return
          totals.set(key, { total, countedAt: now(), isRecounted: false, version })
        },
      }
    },
    forget: () => {
      generation += 1
      totals.clear()
    },
  }
}

const nothingShown: ReadPlan['node'] = {
  members: [],
  localized: false,
  entry: true,
  component: null,
}
