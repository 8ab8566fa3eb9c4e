import { LRUCache } from 'lru-cache'
import type { CollectionVersions, Watched } from '../engine/database/collection-versions.js'
import { collectionsOf } from '../engine/read/plan/collections-read.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'

/** Totals that were counted a moment ago (docs/storage.md, "Totals"). */
export type TotalMemory = Readonly<{
  recall: (plan: ReadPlan) => Recalled
  /** Forgets everything, because this process has written. */
  forget: () => void
}>

/** The total of a plan's match, if it is remembered, and a function to remember it once it is counted. */
type Recalled = Readonly<{
  total: number | undefined
  /** Does nothing if something was written since the count began, because the total may be outdated. */
  remember: (total: number) => void
}>

/** Lifetime of a total in milliseconds. Writes of other processes show after this time at the latest. */
const lifeMs = 1000
/**
 * From this age on, the next request counts again while other requests use the remembered total. Otherwise all requests
 * would count at once when the total expires.
 */
const recountMs = lifeMs / 2
/** Maximum number of remembered filters. */
const maxTotals = 1000
/**
 * Maximum length of a remembered filter. Longer filters have thousands of values and are rarely sent twice. A thousand
 * such filters would fill the memory.
 */
const maxKeyLength = 4096

/** `version`: version number of the counted collections; undefined if collection versions are not available. */
type Known = {
  total: number
  countedAt: number
  isRecounted: boolean
  version: number | undefined
}

/**
 * @param versions versions of the collections that this process writes, so that a read after a write does not use an
 * earlier total
 */
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
