import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient, type Db } from 'mongodb'
import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { testDatabaseUri } from '../support/database.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { conformanceModel } from '../support/conformance-model.js'
import { startApp } from '../support/start-app.js'
import { testSecrets } from '../support/test-secrets.js'
import type { MediaStore, OpenStore } from './media-stores.js'

/** A database with an API token, and a file store. Tests start and kill services that use them. */
export type MediaSite = Readonly<{
  db: Db
  token: string
  adminJwt: string
  store: MediaStore
  provider: StorageProvider
  start: (env?: Readonly<Record<string, string>>, nodeOptions?: readonly string[]) => ServiceProcess
  close: () => Promise<void>
}>

/** Opens a site. Returns undefined if the store is not available. */
export async function openMediaSite(open: OpenStore): Promise<MediaSite | undefined> {
  const databaseUri = await testDatabaseUri()
  const app = await startApp({ databaseUri })
  const { token, adminJwt } = app
  await app.stop()
  const folder = await mkdtemp(join(tmpdir(), 'quire-media-'))
  const client = await MongoClient.connect(databaseUri)
  const db = client.db()
  const close = async () => {
    await provider?.close?.()
    await db.dropDatabase()
    await client.close()
    await rm(folder, { recursive: true, force: true })
  }
  const store = await open(folder)
  const provider = store?.openProvider(db)
  if (store === undefined || provider === undefined) {
    await close()
    return undefined
  }
  const start: MediaSite['start'] = (env = {}, nodeOptions = []) =>
    runService(
      {
        ...{ ...testSecrets, MONGODB_URI: databaseUri, DATA_DIR: folder },
        ...{ SCHEMA_DIR: conformanceModel, ...store.env, ...env },
      },
      folder,
      nodeOptions,
    )
  return { db, token, adminJwt, store, provider, start, close }
}
