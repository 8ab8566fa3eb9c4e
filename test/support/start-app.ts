import { MongoClient, type Document } from 'mongodb'
import type { Settings } from '../../server/settings/settings.js'
import { testDatabaseUri } from './database.js'
import { openTestApp, type TestApp, type TestAppOptions } from './test-app.js'

export type AppOptions = TestAppOptions &
  Readonly<{
    /** URI of an existing database. Default: a new database, which is dropped at the end. */
    databaseUri?: string
    /** Documents by collection, which are inserted before the service starts. */
    documents?: DocumentsByCollection
  }>

export type DocumentsByCollection = ReadonlyMap<string, readonly Document[]>

/** Starts a complete service in this process, on a free port and the database server of the tests. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const { databaseUri, documents, ...others } = options
  const uri = databaseUri ?? (await testDatabaseUri())
  if (documents !== undefined) await insertAll(uri, documents)
  if (databaseUri !== undefined) return openTestApp(uri, others)
  const settings = { ...answerSettings(), ...others.settings }
  const app = await openTestApp(uri, { ...others, settings })
  return {
    ...app,
    stop: async () => {
      await app.quire.services.db.dropDatabase()
      await app.stop()
    },
  }
}

/** With `TEST_ANSWERS=kept`, services have exclusive databases, so that they cache responses. */
const answerSettings = (): Partial<Settings> =>
  process.env['TEST_ANSWERS'] === 'kept' ? { 'database.exclusive': true } : {}

async function insertAll(uri: string, documents: DocumentsByCollection): Promise<void> {
  const client = new MongoClient(uri)
  try {
    await Promise.all(
      [...documents].map(([name, some]) =>
        client
          .db()
          .collection(name)
          .insertMany([...some]),
      ),
    )
  } finally {
    await client.close()
  }
}
