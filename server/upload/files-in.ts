import type { Collection, Db, Document } from 'mongodb'
import { collectionOf } from '../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'

/** Returns the collection with the entries of files. */
export const filesIn = <T extends Document>(db: Db, registry: Registry): Collection<T> =>
  db.collection<T>(collectionOf(typeOf(registry, builtIn.file), 'published'))
