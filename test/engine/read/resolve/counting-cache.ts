import type { QueryCache } from '../../../../engine/read/plan/known-queries.js'
import { createQueryCache } from '../../../../engine/read/plan/known-queries.js'

/** Number of misses on each level of a cache. */
export type Made = { texts: number; shapes: number; plans: number }

/** Creates a cache that counts its misses. */
export function createCountingCache(): Readonly<{
  cache: QueryCache
  made: Made
  /** Number of trees made for deep populate. */
  trees: () => number
}> {
  const known = createQueryCache()
  const made: Made = { texts: 0, shapes: 0, plans: 0 }
  let trees = 0
  const counted = <T>(level: keyof Made, make: () => T): (() => T) => {
    return () => {
      made[level] += 1
      return make()
    }
  }
  const cache: QueryCache = {
    figures: known.figures,
    text: (registry, key, make) => known.text(registry, key, counted('texts', make)),
    shape: (registry, key, make) => {
      const { shape, plan } = known.shape(registry, key, counted('shapes', make))
      return { shape, plan: (standing, plans) => plan(standing, counted('plans', plans)) }
    },
    tree: (registry, key, make) =>
      known.tree(registry, key, () => {
        trees += 1
        return make()
      }),
  }
  return { cache, made, trees: () => trees }
}
