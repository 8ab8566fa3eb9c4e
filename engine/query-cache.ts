import { LRUCache } from 'lru-cache'
import type { QueryPlan } from './plan/plan-query.js'
import type { Registry } from './schema/registry.js'

/** Queries that were understood before, so that a repeated one costs no parsing and no resolving of names. */
export type QueryCache = Readonly<{
  /** The query of a key, made where it is not known. What `make` throws is not kept. */
  get: (registry: Registry, key: string, make: () => QueryPlan) => QueryPlan
}>

/** Different queries that are kept; an understood query takes a few kilobytes. */
const maxQueries = 2000
/** Longer texts are rarely sent twice. */
const maxKeyLength = 4096

/** Queries name attributes of a registry, so a new snapshot begins with an empty cache. */
export function createQueryCache(): QueryCache {
  const queries = new LRUCache<string, QueryPlan>({ max: maxQueries })
  let current: Registry | undefined
  return {
    get: (registry, key, make) => {
      if (registry !== current) {
        queries.clear()
        current = registry
      }
      const known = queries.get(key)
      if (known !== undefined) return known
      const query = make()
      if (key.length <= maxKeyLength) queries.set(key, query)
      return query
    },
  }
}
