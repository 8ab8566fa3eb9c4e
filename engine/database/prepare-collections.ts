import type { Db } from 'mongodb'
import { MongoServerError } from 'mongodb'
import { addIndexes, ensureIndexes } from './ensure-indexes.js'
import { claims, underway } from './own-collections.js'
import type { RecordedIndex } from './recorded-indexes.js'
import { fitsType, isWanted, readRecorded } from './recorded-indexes.js'
import { indexList } from '../schema/index-list.js'
import type { ContentType } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'

/**
 * Makes the indexes of every content-type's collections what its definition asks for. May be repeated. Those stay
 * that were made because of what is asked and fit the definition, and with `keepsOthers` those that others ask for.
 * @throws DuplicateValuesError where entries of a collection collide in a unique index
 */
export async function prepareCollections(
  db: Db,
  registry: Registry,
  options: Readonly<{ keepsOthers?: boolean }> = {},
): Promise<void> {
  const recorded = await readRecorded(db)
  for (const type of registry.contentTypes.values())
    for (const { collection, indexes } of indexList(type)) {
      const kept = keptOf(collection, { type, registry, recorded })
      await ensureIndexes(db, collection, indexes, { ...options, kept })
    }
}

function keptOf(
  collection: string,
  {
    type,
    registry,
    recorded,
  }: Readonly<{ type: ContentType; registry: Registry; recorded: readonly RecordedIndex[] }>,
): readonly string[] {
  return recorded
    .filter((it) => it.collection === collection && isWanted(it) && fitsType(it, type, registry))
    .map(({ name }) => name)
}

const namespaceExists = 48

/**
 * Makes the collections that writes of the service's own go to within transactions. One that makes a collection locks
 * it until it ends, which is a minute where its process was killed.
 */
export async function prepareOwnCollections(db: Db): Promise<void> {
  for (const name of [claims, underway])
    try {
      await db.createCollection(name)
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === namespaceExists)) throw error
    }
}

/**
 * Makes what is missing of these indexes and takes none away, so that it may be followed by another schema.
 * @throws DuplicateValuesError where entries of a collection collide in a unique index
 */
export async function addMissingIndexes(db: Db, registry: Registry): Promise<void> {
  const recorded = await readRecorded(db)
  for (const type of registry.contentTypes.values())
    for (const { collection, indexes } of indexList(type)) {
      const kept = keptOf(collection, { type, registry, recorded })
      await addIndexes(db, collection, indexes, kept)
    }
}
