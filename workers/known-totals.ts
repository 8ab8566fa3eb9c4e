import { LRUCache } from 'lru-cache'
import type { CollectionVersions } from '../engine/database/collection-versions.js'
import { collectionsOf } from '../engine/read/plan/collections-read.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/** Caches totals for up to a second (docs/internals/storage.md, "Totals"). */
export type TotalMemory = Readonly<{
  recall: (plan: ReadPlan) => Recalled
}>

/** The cached total for a plan's filter, and a function to cache a new one. */
type Recalled = Readonly<{
  total: number | undefined
  /** Does nothing if a counted collection was written to since `recall`, because the total may be outdated. */
  remember: (total: number) => void
}>

/** Lifetime of a total, and thus the maximum delay until writes of other processes are visible. */
const lifeMs = 1000
/**
 * From this age on, one request counts again while others use the cached total, so that not all count when it expires.
 */
const recountMs = lifeMs / 2
/** Maximum number of cached filters. */
const maxTotals = 1000
/** Longer filters contain thousands of values, are rarely sent twice, and would use too much memory. */
const maxKeyLength = 4096

/** A cached total. `version` is the version number of the counted collections. */
type Known = {
  total: number
  countedAt: number
  isRecounted: boolean
  version: number
}

/**
 * Creates a cache of totals.
 * @param versions version numbers of the collections that this process writes, so that a read after a write never uses
 *   an older total
 */
export function createTotalMemory(
  versions: CollectionVersions,
  now: () => number = () => performance.now(),
): TotalMemory {
  const totals = new LRUCache<string, Known>({ max: maxTotals })
  const recall = (key: string, version: number): number | undefined => {
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
      if (key.length > maxKeyLength) return notCached
      const watched = versions.watch([...collectionsOf({ ...plan, sort: [], node: nothingShown })])
      const version = watched()
      if (version === undefined) return notCached
      return {
        total: recall(key, version),
        remember: (total) => {
          if (watched() === version)
            totals.set(key, { total, countedAt: now(), isRecounted: false, version })
        },
      }
    },
  }
}

const notCached: Recalled = { total: undefined, remember: () => undefined }

const nothingShown: ReadPlan['node'] = {
  members: [],
  localized: false,
  entry: true,
  component: null,
}
