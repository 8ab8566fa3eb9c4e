import { collectionsOf } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import { ownCollections } from '../../server/backup/parts.js'
import { filesIn } from '../../server/upload/files-in.js'
import { allFiles, type FileDocument } from '../../server/upload/maintenance/file-documents.js'
import { namesOf } from '../../server/upload/store-content.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { openContents } from '../media/with-stores.js'
import type { OpenDatabase } from '../with-database.js'

/**
 * Removes all entries and indexes of the selected types, and the content of selected files. `openRegistry` creates the
 * indexes again. Safe to repeat.
 */
export async function clearTypes(
  database: OpenDatabase,
  registry: Registry,
  providers: Providers,
  isCleared: (uid: string) => boolean,
): Promise<void> {
  const { db } = database
  if (isCleared(builtIn.file)) await clearFiles(database, registry, providers)
  const types = [...registry.contentTypes.values()].filter(({ uid }) => isCleared(uid))
  for (const type of types) {
    for (const name of collectionsOf(type)) await db.dropCollection(name)
    await db.collection<{ _id: string }>(ownCollections.singles).deleteOne({ _id: type.uid })
    await db
      .collection<{ _id: string }>(ownCollections.legacyIds)
      .deleteMany({ _id: { $gte: `${type.uid}:`, $lt: `${type.uid};` } })
  }
  // Stored responses of idempotent requests may contain removed content. Sessions may belong to removed users.
  if (types.length > 0) await db.collection('_idempotency').deleteMany({})
  if (isCleared(builtIn.user) || isCleared(builtIn.adminUser))
    await db.collection('_sessions').deleteMany({})
}

async function clearFiles(
  database: OpenDatabase,
  registry: Registry,
  providers: Providers,
): Promise<void> {
  const contents = openContents(database, registry, providers)
  const files = filesIn<FileDocument>(database.db, registry)
  for await (const file of allFiles(files)) {
    // Record the content as superseded first. If the process is killed in between, a later sweep removes the content.
    await contents.supersede(namesOf(file))
    await files.deleteOne({ _id: file._id })
    await contents.remove(namesOf(file))
  }
}
