import { LRUCache } from 'lru-cache'
import type { QueryPlan } from '../plan/plan-read.js'
import type { Standing } from '../plan/plan-relation.js'
import { localesKey } from '../plan/plan-relation.js'
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
  figures: () => readonly LevelFigures[]
}>

/** How much one level knows, and how often it was asked. */
type LevelFigures = Readonly<{
  level: 'text' | 'shape' | 'tree'
  hits: number
  misses: number
  entries: number
  /** By estimate. */
  bytes: number
}>

type KnownShape = Readonly<{
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
        plan: (standing, makePlan) => {
          const where = localesKey(standing)
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
    figures: () => [figuresOf(texts), figuresOf(shapes), figuresOf(trees)],
  }
}

/** The same for a text that is not sent again: its shape is known, and the text is not kept. */
export const passingTexts = (cache: QueryCache): QueryCache => ({
  ...cache,
  text: (_registry, _key, make) => make(),
})

/** `plans`: by `localesKey`, all that standings of one shape differ in. */
type Planned = Readonly<{ shape: QueryShape; plans: Map<string, ShapePlan> }>

type Level<T extends object> = Readonly<{
  name: LevelFigures['level']
  known: LRUCache<string, T>
  asked: { hits: number; misses: number }
}>

function createLevel<T extends object>(
  name: LevelFigures['level'],
  sizeOf: (value: T) => number,
): Level<T> {
  const known = new LRUCache<string, T>({
    maxSize: maxBytes,
    sizeCalculation: (value: T, key: string): number => sizeOf(value) + 4 * key.length,
  })
  return { name, known, asked: { hits: 0, misses: 0 } }
}

function find<T extends object>({ known, asked }: Level<T>, key: string): T | undefined {
  const found = known.get(key)
  if (found === undefined) asked.misses += 1
  else asked.hits += 1
  return found
}

const figuresOf = <T extends object>({ name, known, asked }: Level<T>): LevelFigures => ({
  level: name,
  ...asked,
  entries: known.size,
  bytes: known.calculatedSize,
})

function keep<T extends object>(level: Level<T>, key: string, value: T): T {
  if (key.length <= maxKeyLength) level.known.set(key, value)
  return value
}
