import { LRUCache } from 'lru-cache'
import type { QueryPlan } from '../plan/plan-read.js'
import type { Standing } from '../plan/plan-relation.js'
import type { ShapePlan } from '../plan/plan-shape.js'
import type { DeepTree, QueryShape } from './query.js'
import type { Registry } from '../../schema/registry.js'

/**
 * What was understood before, on levels: a text that is sent again costs nothing, one of a known
 * shape no resolving of names, and no planning where that shape was planned in its locale. Keys say to
 * whom something means that; what `make` throws is not kept. Trees of deep populate are part of many shapes.
 */
export type QueryCache = Readonly<{
  text: (registry: Registry, key: string, make: () => QueryPlan) => QueryPlan
  shape: (registry: Registry, key: string, make: () => QueryShape) => KnownShape
  tree: (registry: Registry, key: string, make: () => DeepTree) => DeepTree
}>

export type KnownShape = Readonly<{
  shape: QueryShape
  /** Its plan for entries that stand so, made where it is not known. */
  plan: (standing: Standing, make: () => ShapePlan) => ShapePlan
}>

/** Bytes, by estimate, of each level; most queries take 2,000 to 50,000. */
const maxBytes = 16_000_000
/** Longer keys are rarely seen twice. */
const maxKeyLength = 4096

/** Everything in it names attributes of a registry, so a new snapshot begins with an empty cache. */
export function createQueryCache(): QueryCache {
  const texts = createLevel<QueryPlan>(({ query }) => query.shape.size)
  const shapes = createLevel<Planned>(({ shape, plans }) => shape.size * (1 + plans.size))
  const trees = createLevel<DeepTree>(({ size }) => size)
  let current: Registry | undefined
  const follow = (registry: Registry): void => {
    if (registry === current) return
    texts.clear()
    shapes.clear()
    trees.clear()
    current = registry
  }
  return {
    text: (registry, key, make) => {
      follow(registry)
      return texts.get(key) ?? keep(texts, key, make())
    },
    tree: (registry, key, make) => {
      follow(registry)
      return trees.get(key) ?? keep(trees, key, make())
    },
    shape: (registry, key, make) => {
      follow(registry)
      const known =
        shapes.get(key) ?? keep<Planned>(shapes, key, { shape: make(), plans: new Map() })
      return {
        shape: known.shape,
        plan: (standing, makePlan) => {
          const where = localesOf(standing)
          const plan = known.plans.get(where)
          if (plan !== undefined) return plan
          const made = makePlan()
          known.plans.set(where, made)
          // Again, because it takes more memory now.
          keep(shapes, key, known)
          return made
        },
      }
    },
  }
}

/** `plans`: by `localesOf` their standing. */
type Planned = Readonly<{ shape: QueryShape; plans: Map<string, ShapePlan> }>

/** All that standings of one shape differ in. */
const localesOf = ({ locale, contextLocale }: Standing): string =>
  `${locale ?? ''} ${contextLocale}`

type Level<T extends object> = LRUCache<string, T>

function createLevel<T extends object>(sizeOf: (value: T) => number): Level<T> {
  return new LRUCache<string, T>({
    maxSize: maxBytes,
    sizeCalculation: (value: T, key: string): number => sizeOf(value) + 4 * key.length,
  })
}

function keep<T extends object>(level: Level<T>, key: string, value: T): T {
  if (key.length <= maxKeyLength) level.set(key, value)
  return value
}
