import { join } from 'node:path'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import type { FileDocument } from '../../server/upload/maintenance/file-documents.js'
import { findOtherStore } from '../../server/upload/own-store.js'
import { createProviders } from '../../server/upload/providers/create-providers.js'
import { s3OptionsOf } from '../../server/upload/providers/s3-options.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import type { OpenDatabase } from '../with-database.js'

/** Opens all stores of files that the configuration names, and closes them after `work`. */
export async function withStores<T>(
  { db, config }: Pick<OpenDatabase, 'db' | 'config'>,
  work: (providers: Providers) => Promise<T>,
): Promise<T> {
  const { settings, dataDir, s3Credentials } = config
  const providers = createProviders({
    chosen: settings['upload.provider'],
    db,
    directory: join(dataDir, 'uploads'),
    s3: s3OptionsOf(settings, s3Credentials),
  })
  try {
    return await work(providers)
  } finally {
    for (const { close } of providers.all) await close?.()
  }
}

/**
 * What to say where new content of files would go to a store that is not this database's; undefined where it is, as it
 * is from then on where nobody knew.
 */
export async function findForeignStore(
  { db, alone }: Pick<OpenDatabase, 'db' | 'alone'>,
  registry: Registry,
  { chosen }: Providers,
): Promise<string | undefined> {
  const collection = collectionOf(typeOf(registry, builtIn.file), 'published')
  const files = db.collection<FileDocument>(collection)
  return findOtherStore({ db, files, store: chosen, isChosen: true, alone })
}
