import { LRUCache } from 'lru-cache'
import type { QueryPlan } from './plan-read.js'
import type { VersionContext } from './plan-relation.js'
import { localesKey } from './plan-relation.js'
import type { ShapePlan } from './plan-shape.js'
import type { DeepTree, QueryShape } from '../resolve/query.js'
import type { Registry } from '../../schema/registry.js'

/**
 * Caches queries on three levels: query strings (`text`), shapes, and trees of deep populate. For a known shape, no
 * names are resolved, and only new locales need planning. Keys include the caller's permissions. Errors of `make` are
 * not cached.
 */
export type QueryCache = Readonly<{
  text: (registry: Registry, key: string, make: () => QueryPlan) => QueryPlan
  shape: (registry: Registry, key: string, make: () => QueryShape) => KnownShape
  tree: (registry: Registry, key: string, make: () => DeepTree) => DeepTree
  figures: () => readonly LevelFigures[]
}>

type LevelFigures = Readonly<{
  level: 'text' | 'shape' | 'tree'
  hits: number
  misses: number
  entries: number
  /** Estimated bytes of memory. */
  bytes: number
}>

type KnownShape = Readonly<{
  shape: QueryShape
  /** Returns the plan for a read context. Calls `make` if it is unknown. */
  plan: (context: VersionContext, make: () => ShapePlan) => ShapePlan
}>

/** Of each level, estimated. Most queries take 2,000 to 50,000 bytes. */
const maxBytes = 16_000_000
/** Longer keys are rarely used twice. */
const maxKeyLength = 4096

/** Creates an empty cache, which is cleared when the registry changes. */
export function createQueryCache(): QueryCache {
  const texts = createLevel<QueryPlan>('text', ({ query }) => query.shape.size)
  const shapes = createLevel<Planned>('shape', ({ shape, plans }) => shape.size * (1 + plans.size))
  const trees = createLevel<DeepTree>('tree', ({ size }) => size)
  let current: Registry | undefined
  const follow = (registry: Registry): void => {
    if (registry === current) return
    texts.known.clear()
    shapes.known.clear()
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
    shape: (registry, key, make) => {
      follow(registry)
      const known =
        find(shapes, key) ?? keep<Planned>(shapes, key, { shape: make(), plans: new Map() })
      return {
        shape: known.shape,
        plan: (context, makePlan) => {
          const where = localesKey(context)
          const plan = known.plans.get(where)
          if (plan !== undefined) return plan
          const made = makePlan()
          known.plans.set(where, made)
          // Stored again, because its size has grown.
          keep(shapes, key, known)
          return made
        },
      }
    },
    figures: () => [figuresOf(texts), figuresOf(shapes), figuresOf(trees)],
  }
}

/** Returns a cache for query strings that will not be sent again: it does not store them. */
export const passingTexts = (cache: QueryCache): QueryCache => ({
  ...cache,
  text: (_registry, _key, make) => make(),
})

/** A shape and its plans by `localesKey`. */
type Planned = Readonly<{ shape: QueryShape; plans: Map<string, ShapePlan> }>

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
