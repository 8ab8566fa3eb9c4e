import type { Db } from 'mongodb'
import { MongoServerError } from 'mongodb'
import { ensureIndexes, type Keeping } from './ensure-indexes.js'
import { claims, journalCollection } from './own-collections.js'
import { isWanted, readRecorded } from './recorded-indexes.js'
import { indexList } from '../schema/index-list.js'
import { isIndexable } from '../schema/indexable-paths.js'
import type { Registry } from '../schema/registry.js'

/**
 * Creates and drops indexes until the indexes of every content-type match its definition. Keeps automatic indexes
 * (`_indexes`) that fit the definitions. `drops` decides about the indexes of other schemas. May be repeated.
 * @throws DuplicateValuesError if existing entries have the same value in a unique index
 */
export async function prepareCollections(
  db: Db,
  registry: Registry,
  options: Pick<Keeping, 'drops'> = {},
): Promise<void> {
  const recorded = (await readRecorded(db)).filter(isWanted)
  for (const type of registry.contentTypes.values())
    for (const { collection, indexes } of indexList(type)) {
      const kept = recorded
        .filter((it) => it.collection === collection && isIndexable(it.fields, type, registry))
        .map(({ name }) => name)
      await ensureIndexes(db, collection, indexes, { ...options, kept })
    }
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
