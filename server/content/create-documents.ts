import { createQueryCache } from '../../engine/read/plan/known-queries.js'
import type { Documents } from './documents.js'
import { createOwnWrites } from './own-writes.js'
import { createReads, type ReadParts } from './read-documents.js'
import { createWrites, type WriteParts } from './write-documents.js'

/** Dependencies of `createDocuments`. Default of `registryOf`: always the current registry. */
export type DocumentsParts = Omit<ReadParts & WriteParts, 'own' | 'registryOf' | 'cache'> &
  Partial<Pick<ReadParts, 'registryOf' | 'cache'>>

/** Binds the engine to the current registry, locales and settings. */
export function createDocuments(parts: DocumentsParts): Documents {
  const { db, settings, registry, registryOf = registry, cache = createQueryCache() } = parts
  const own = createOwnWrites(db.client, settings['database.ownWritesMs'])
  const all = { ...parts, registryOf, cache, own }
  return { ...createReads(all), ...createWrites(all) }
}
