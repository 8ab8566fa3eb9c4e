import type { Db } from 'mongodb'
import type { CollectionFacts, FactsOf } from '../../engine/read.js'
import { fieldsBehindLocale, indexList } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'

/** Milliseconds for which a size is believed. */
const believedMs = 60_000

type Size = { entries: number; askedAt: number }

/**
 * What costs are reckoned with. It never waits: a size that is not known, or was asked long ago, is asked
 * for beside the request, and known to the next one.
 */
export function createCollectionFacts(db: Db, registry: () => Registry): FactsOf {
  const sizes = new Map<string, Size>()
  const indexes = new WeakMap<Registry, Indexed>()
  return (collection) => {
    const current = registry()
    const indexed = indexes.get(current) ?? indexesOf(current)
    indexes.set(current, indexed)
    return {
      entries: sizeOf(db, sizes, collection),
      indexes: indexed.get(collection) ?? [],
    }
  }
}

function sizeOf(db: Db, sizes: Map<string, Size>, collection: string): number {
  const known = sizes.get(collection)
  const now = Date.now()
  if (known !== undefined && now - known.askedAt < believedMs) return known.entries
  const size = { entries: known?.entries ?? 0, askedAt: now }
  sizes.set(collection, size)
  db.collection(collection)
    .estimatedDocumentCount({ maxTimeMS: 1000 })
    .then(
      (entries) => (size.entries = entries),
      // Without a database no cost matters.
      () => undefined,
    )
  return size.entries
}

type Indexed = ReadonlyMap<string, CollectionFacts['indexes']>

function indexesOf({ contentTypes }: Registry): Indexed {
  const lists = [...contentTypes.values()].flatMap((type) => indexList(type))
  return new Map(
    lists.map(({ collection, indexes }) => [
      collection,
      indexes.map((index) => ({
        fields: fieldsBehindLocale(index),
        isWhole: index.partial === undefined,
      })),
    ]),
  )
}
