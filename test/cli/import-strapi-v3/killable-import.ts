import { testDatabaseUri } from '../../support/database.js'
import type { folderForEach } from '../../support/temporary-folder.js'
import { openImportTarget, type ImportTarget } from '../import-strapi/killed-import.js'
import { sampleDocuments, sampleFolder, storeAll } from './sample.js'

/** Stores the sample once. Returns a function that opens an import of it into a new database. */
export async function startKillable(
  makeFolder: ReturnType<typeof folderForEach>,
): Promise<() => Promise<ImportTarget>> {
  const old = await testDatabaseUri()
  const sample = new Map(sampleDocuments())
  // Remove passwords: each import hashes them with another salt, so the results would differ.
  sample.set(
    'articles',
    (sample.get('articles') ?? []).map(({ secret: _, ...article }) => article),
  )
  await storeAll(old, sample)
  const args = ['import-strapi-v3', old, '--uploads', `${sampleFolder}/uploads`]
  return async () => openImportTarget(await makeFolder({}), args)
}
