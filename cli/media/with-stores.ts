import { join } from 'node:path'
import type { Registry } from '../../engine/schema/registry.js'
import { createProviders } from '../../server/upload/providers/create-providers.js'
import { s3OptionsOf } from '../../server/upload/providers/s3-options.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { openPendingContents, type PendingContents } from '../../server/upload/pending-contents.js'
import type { OpenDatabase } from '../with-database.js'

/** Opens all configured file stores, and closes them after `work`. */
export async function withStores<T>(
  { db, config }: OpenDatabase,
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

/** Opens the records of content that is stored, but belongs to no file yet or no longer. */
export const openContents = (
  { db, log, singleProcess, config: { settings } }: OpenDatabase,
  registry: Registry,
  providers: Providers,
): PendingContents =>
  openPendingContents({ db, log, settings, registry: () => registry }, { providers, singleProcess })
