import type { Db } from 'mongodb'
import { addIndexes, ensureIndexes } from './ensure-indexes.js'
import { indexList } from '../schema/index-list.js'
import type { Registry } from '../schema/registry.js'

/**
 * Makes the indexes of every content-type's collections what its definition asks for. May be repeated.
 * @throws DuplicateValuesError where entries of a collection collide in a unique index
 */
export async function prepareCollections(db: Db, registry: Registry): Promise<void> {
  for (const type of registry.contentTypes.values())
    for (const { collection, indexes } of indexList(type))
      await ensureIndexes(db, collection, indexes)
}

/**
 * Makes what is missing of these indexes and takes none away, so that it may be followed by another schema.
 * @throws DuplicateValuesError where entries of a collection collide in a unique index
 */
export async function addMissingIndexes(db: Db, registry: Registry): Promise<void> {
  for (const type of registry.contentTypes.values())
    for (const { collection, indexes } of indexList(type)) await addIndexes(db, collection, indexes)
}
