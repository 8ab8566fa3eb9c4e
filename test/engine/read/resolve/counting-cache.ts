import type { QueryCache } from '../../../../engine/read/plan/known-queries.js'
import { createQueryCache } from '../../../../engine/read/plan/known-queries.js'

/** Creates a query cache that counts its misses in `made`: of query strings, and of populate trees. */
export function createCountingCache(): Readonly<{
  cache: QueryCache
  made: Readonly<{ texts: number; trees: number }>
}> {
  const known = createQueryCache()
  const made = { texts: 0, trees: 0 }
  const counted = <T>(level: keyof typeof made, make: () => T): (() => T) => {
    return () => {
      made[level] += 1
      return make()
    }
  }
  const cache: QueryCache = {
    figures: known.figures,
    text: (registry, key, make) => known.text(registry, key, counted('texts', make)),
    tree: (registry, key, make) => known.tree(registry, key, counted('trees', make)),
  }
  return { cache, made }
}
