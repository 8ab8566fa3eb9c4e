import { testDatabaseUri } from '../../support/database.js'
import type { folderForEach } from '../../support/temporary-folder.js'
import { openGround, type Ground } from '../import-strapi/killed-import.js'
import { sampleDocuments, sampleFolder, storeAll } from './sample.js'

/** Stores the sample once, for imports of it, each into a place of its own. */
export async function startKillable(
  makeFolder: ReturnType<typeof folderForEach>,
): Promise<() => Promise<Ground>> {
  const old = await testDatabaseUri()
  const sample = new Map(sampleDocuments())
  // No two hashes of one text are alike.
  sample.set(
    'articles',
    (sample.get('articles') ?? []).map(({ secret: _, ...article }) => article),
  )
  await storeAll(old, sample)
  const args = ['import-strapi-v3', old, '--uploads', `${sampleFolder}/uploads`]
  return async () => openGround(await makeFolder({}), args)
}
