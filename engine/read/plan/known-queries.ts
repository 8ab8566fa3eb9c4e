import { LRUCache } from 'lru-cache'
import type { QueryPlan } from './plan-query.js'
import type { PopulateTree } from '../resolve/query.js'
import { sizeOfQuery } from '../resolve/query-size.js'
import type { Registry } from '../../schema/registry.js'

/**
 * Caches plans by query string (`text`), and populate trees, which queries for different entries share. Keys include
 * the caller's permissions. Errors of `make` are not cached.
 */
export type QueryCache = Readonly<{
  text: (registry: Registry, key: string, make: () => QueryPlan) => QueryPlan
  tree: (registry: Registry, key: string, make: () => PopulateTree) => PopulateTree
  figures: () => readonly LevelFigures[]
}>

type LevelFigures = Readonly<{
  level: 'text' | 'tree'
  hits: number
  misses: number
  entries: number
  /** Estimated bytes of memory. */
  bytes: number
}>

/** Maximum estimated size of each of the two levels, `text` and `tree`. Most queries take 2,000 to 50,000 bytes. */
const maxBytes = 16_000_000
/** Queries with longer keys are not cached, because they are rarely repeated. */
const maxKeyLength = 4096

/** Creates an empty cache, which is cleared when the registry changes. */
export function createQueryCache(): QueryCache {
  const texts = createLevel<QueryPlan>('text', ({ query }) => sizeOfQuery(query))
  const trees = createLevel<PopulateTree>('tree', ({ size }) => size)
  let current: Registry | undefined
  const follow = (registry: Registry): void => {
    if (registry === current) return
    texts.known.clear()
    trees.known.clear()
    current = registry
  }
  return {
    text: (registry, key, make) => {
      follow(registry)
      return find(texts, key) ?? keep(texts, key, make())
    },
    tree: (registry, key, make) => {
      follow(registry)
      return find(trees, key) ?? keep(trees, key, make())
    },
    figures: () => [figuresOf(texts), figuresOf(trees)],
  }
}

/** Returns a cache for query strings that will not be sent again: it does not store them. */
export const passingTexts = (cache: QueryCache): QueryCache => ({
  ...cache,
  text: (_registry, _key, make) => make(),
})

type Level<T extends object> = Readonly<{
  name: LevelFigures['level']
  known: LRUCache<string, T>
  lookups: { hits: number; misses: number }
}>

function createLevel<T extends object>(
  name: LevelFigures['level'],
  sizeOf: (value: T) => number,
): Level<T> {
  const known = new LRUCache<string, T>({
    maxSize: maxBytes,
    sizeCalculation: (value: T, key: string): number => sizeOf(value) + 4 * key.length,
  })
  return { name, known, lookups: { hits: 0, misses: 0 } }
}

function find<T extends object>({ known, lookups }: Level<T>, key: string): T | undefined {
  const found = known.get(key)
  if (found === undefined) lookups.misses += 1
  else lookups.hits += 1
  return found
}

const figuresOf = <T extends object>({ name, known, lookups }: Level<T>): LevelFigures => ({
  level: name,
  ...lookups,
  entries: known.size,
  bytes: known.calculatedSize,
})

function keep<T extends object>(level: Level<T>, key: string, value: T): T {
  if (key.length <= maxKeyLength) level.known.set(key, value)
  return value
}
