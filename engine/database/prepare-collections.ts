import type { Db } from 'mongodb'
import { MongoServerError } from 'mongodb'
import { addIndexes, ensureIndexes } from './ensure-indexes.js'
import { claims, journalCollection } from './own-collections.js'
import type { RecordedIndex } from './recorded-indexes.js'
import { fitsType, isWanted, readRecorded } from './recorded-indexes.js'
import { indexList } from '../schema/index-list.js'
import type { ContentType } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'

/**
 * Creates and drops indexes until the indexes of every content-type match its definition. Keeps recorded indexes
 * (`_indexes`) that fit the definitions, and with `keepsOthers`, those of other schemas. May be repeated.
 * @throws DuplicateValuesError if existing entries have the same value in a unique index
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
 * Creates the collections that transactions write to. If a transaction created a collection, it would lock the
 * collection until the transaction ends: if the process crashes, for a minute.
 */
export async function prepareOwnCollections(db: Db): Promise<void> {
  for (const name of [claims, journalCollection])
    try {
      await db.createCollection(name)
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === namespaceExists)) throw error
    }
}

/**
 * Creates missing indexes. Drops none, so that the service can still change to another schema.
 * @throws DuplicateValuesError if existing entries have the same value in a unique index
 */
export async function addMissingIndexes(db: Db, registry: Registry): Promise<void> {
  const recorded = await readRecorded(db)
  for (const type of registry.contentTypes.values())
    for (const { collection, indexes } of indexList(type)) {
      const kept = keptOf(collection, { type, registry, recorded })
      await addIndexes(db, collection, indexes, kept)
    }
}
