import type { Collection, Db, Document } from 'mongodb'
import { collectionOf } from '../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'

/** Returns the collection of files' entries. */
export const filesIn = <T extends Document>(db: Db, registry: Registry): Collection<T> =>
  db.collection<T>(collectionOf(typeOf(registry, builtIn.file), 'published'))
