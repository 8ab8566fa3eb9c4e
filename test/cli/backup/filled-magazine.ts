import { cp } from 'node:fs/promises'
import { MongoClient, type Db, type Document, type IndexDescription } from 'mongodb'
import { logInAdmin } from '../../../cli/seed/access.js'
import { createApiClient } from '../../../cli/seed/api-client.js'
import { seedDemo } from '../../../cli/seed/seed-demo.js'
import { startInProcess } from '../../support/service-in-process.js'
import { makeFolder } from '../../support/temporary-folder.js'
import {
  answersOf,
  login,
  magazineEnv,
  makeToken,
  type Magazine,
  type MagazineEnv,
} from './magazine.js'

type Filled = Readonly<{
  /** `DATA_DIR` with the embedded database. */
  dataDir: string
  /** The same content, to insert into another database. */
  collections: readonly Stored[]
  token: string
  answers: Readonly<Record<string, string>>
}>

type Stored = Readonly<{
  name: string
  documents: readonly Document[]
  indexes: readonly IndexDescription[]
}>

/** Copies a filled magazine to the MongoDB or the embedded database of an environment. Fills it once per process. */
export async function placeMagazine(env: MagazineEnv): Promise<Pick<Filled, 'token' | 'answers'>> {
  filled ??= fill()
  const { dataDir, collections, token, answers } = await filled
  const uri = env['MONGODB_URI']
  if (uri === undefined) await cp(dataDir, env.DATA_DIR, { recursive: true })
  else {
    await cp(`${dataDir}/uploads`, `${env.DATA_DIR}/uploads`, { recursive: true })
    await writeAll(uri, collections)
  }
  return { token, answers }
}

let filled: Promise<Filled> | undefined

async function fill(): Promise<Filled> {
  const folder = await makeFolder({})
  const env = magazineEnv(`${folder}/data`)
  const service = await startInProcess(env, folder)
  try {
    const admin = await logInAdmin(service.url, login)
    const token = await fillMagazine({ base: service.url, admin })
    const answers = await answersOf(service.url, token)
    return {
      dataDir: env.DATA_DIR,
      collections: await readAll(service.services.db),
      token,
      answers,
    }
  } finally {
    await service.stop()
  }
}

/** Loads the demo's content, a draft and a user. Returns a full-access token. */
async function fillMagazine({ base, admin }: Omit<Magazine, 'stop'>): Promise<string> {
  await seedDemo({ base, admin: login })
  const token = await makeToken(admin, 'Everything')
  const client = createApiClient(base, token)
  const { data: draft } = await client.post<{ data: { documentId: string } }>(
    '/api/articles?status=draft',
    { data: { title: 'Not published', slug: 'not-published' } },
  )
  await client.put(`/api/articles/${draft.documentId}?status=draft`, {
    data: { title: 'Not published yet' },
  })
  await client.post('/api/auth/local/register', {
    ...{ username: 'reader', email: 'reader@example.com', password: 'Passw0rd!' },
  })
  return token
}

/** Reads all collections except the one with records of running processes. */
async function readAll(db: Db): Promise<readonly Stored[]> {
  const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  const names = found.map(({ name }) => name).filter((name) => name !== '_instances')
  return Promise.all(
    names.map(async (name) => ({
      name,
      // Keeps the BSON types of numbers.
      documents: await db.collection(name, { promoteValues: false }).find().toArray(),
      indexes: (await db.collection(name).indexes()).filter((index) => index.name !== '_id_'),
    })),
  )
}

async function writeAll(uri: string, collections: readonly Stored[]): Promise<void> {
  const client = new MongoClient(uri)
  try {
    for (const { name, documents, indexes } of collections) {
      const collection = await client.db().createCollection(name)
      if (documents.length > 0) await collection.insertMany([...documents])
      if (indexes.length > 0) await collection.createIndexes(indexes.map(withoutVersion))
    }
  } finally {
    await client.close()
  }
}

/** Removes the index version, which the server adds itself. */
const withoutVersion = ({ v: _, ...index }: IndexDescription & { v?: unknown }): IndexDescription =>
  index
