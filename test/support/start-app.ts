import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MongoClient, type Document } from 'mongodb'
import { pino, type DestinationStream } from 'pino'
import { setHashCosts } from '../../engine/write/rules/hash-password.js'
import { loadConfig } from '../../server/settings/config.js'
import type { ProviderTable } from '../../server/accounts/providers/provider-table.js'
import type { Settings } from '../../server/settings/settings.js'
import { startQuire, type Quire } from '../../server/lifecycle/start.js'
import { checkedSender } from './check-answer.js'
import { testDatabaseUri } from './database.js'
import { sender, type Send } from './request.js'

setHashCosts({ memoryCost: 8, timeCost: 1 })

export type AppOptions = Readonly<{
  /**
   * Definitions by path, such as `{ 'content-types/note.json': { kind: … } }`. Default: those in `conformanceModel`.
   */
  schema?: Readonly<Record<string, object>>
  schemaDir?: string
  settings?: Partial<Settings>
  /** Variables in addition to those that every service gets. */
  environment?: Readonly<Record<string, string>>
  log?: DestinationStream
  /** The login providers that settings can name. Default: all. */
  providers?: ProviderTable
  /** URI of an existing database. Default: a new database, which is dropped at the end. */
  databaseUri?: string
  /** Documents by collection, which are inserted before the service starts. */
  documents?: DocumentsByCollection
}>

export type DocumentsByCollection = ReadonlyMap<string, readonly Document[]>

export type TestApp = Readonly<{
  quire: Quire
  url: string
  /** Data folder of the service. It is removed when the service stops. */
  dataDir: string
  /**
   * Sends a request, such as `request('GET', '/api/articles', { token })`. Rejects if the response does not match the
   * OpenAPI document.
   */
  request: Send
  /** A full-access API token. */
  token: string
  adminJwt: string
  /** Grants actions to a role, for example `allow('public', ['api::article.article.find'])`. */
  allow: (role: 'public' | 'authenticated', actions: readonly string[]) => Promise<void>
  stop: () => Promise<void>
}>

/** The secret that signs the JWTs of all services that `startApp` starts. */
export const testJwtSecret = 'the jwt secret of the tests, long enough'

/**
 * Secrets of all services that `startApp` starts. Because they are the same, a service accepts the tokens of others on
 * the same database.
 */
export const testSecrets = { JWT_SECRET: testJwtSecret, API_TOKEN_SALT: 'salt-of-the-tests' }

/**
 * Folder of a model with articles that have every kind of attribute, and with authors, tags, single types and
 * components.
 */
export const conformanceModel = fileURLToPath(
  new URL('../../../test/conformance/model', import.meta.url),
)

/** With `TEST_ANSWERS=kept`, services have exclusive databases, so that they cache responses. */
const answerSettings = (options: AppOptions): Partial<Settings> =>
  process.env['TEST_ANSWERS'] === 'kept' && options.databaseUri === undefined
    ? { 'database.exclusive': true }
    : {}

/** Makes services wait only this long for open connections when they stop, because test clients keep theirs open. */
const quickEnd: Partial<Settings> = { 'http.shutdownGraceMs': 20 }

/** Starts a complete service in this process, on a free port. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-app-'))
  const databaseUri = options.databaseUri ?? (await testDatabaseUri())
  if (options.documents !== undefined) await insertAll(databaseUri, options.documents)
  const base = loadConfig(
    {
      ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder },
      ...testSecrets,
      MONGODB_URI: databaseUri,
      SCHEMA_DIR: await schemaFolder(options, folder),
      // High, because some tests log in often.
      AUTH_RATE_LIMIT_MAX: '10000',
      ...options.environment,
    },
    folder,
  )
  const config = {
    ...base,
    settings: {
      ...base.settings,
      ...quickEnd,
      ...answerSettings(options),
      ...options.settings,
    },
  }
  const quire = await startQuire(config, {
    log: options.log === undefined ? pino({ level: 'silent' }) : pino(options.log),
    providers: options.providers,
  })
  return {
    quire,
    url: quire.url,
    dataDir: folder,
    request: checkedSender(sender(quire.url), quire),
    token: await makeToken(quire),
    adminJwt: await makeAdmin(quire),
    allow: (role, actions) => allow(quire, role, actions),
    stop: async () => {
      if (options.databaseUri === undefined) await quire.services.db.dropDatabase()
      await quire.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

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

async function schemaFolder(
  { schema, schemaDir = conformanceModel }: AppOptions,
  folder: string,
): Promise<string> {
  if (schema === undefined) return schemaDir
  for (const [name, definition] of Object.entries(schema)) {
    const path = join(folder, 'schema', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(definition))
  }
  return join(folder, 'schema')
}

async function makeToken({ access }: Quire): Promise<string> {
  const draft = { description: '', type: 'full-access', permissions: [], lifespan: null } as const
  const name = `test ${randomUUID()}`
  const { accessKey } = await access.tokens.create({ ...draft, name }, null)
  return accessKey
}

async function makeAdmin({ access }: Quire): Promise<string> {
  const names = { firstname: 'Ada', lastname: 'Admin' }
  const draft = { email: 'admin@example.org', password: 'Admin-password-1', ...names }
  const admin = (await access.admins.createFirst(draft)) ?? (await firstAdmin(access.admins))
  return access.admins.issueToken(admin.id)
}

async function firstAdmin(admins: Quire['access']['admins']) {
  const [admin] = await admins.list({ start: 0, limit: 1 })
  if (admin === undefined) throw new Error('There is no admin')
  return admin
}

async function allow(
  { services, access }: Quire,
  role: string,
  actions: readonly string[],
): Promise<void> {
  const roles = services.db.collection<{ permissions: string[] }>('roles')
  await roles.updateOne({ type: role }, { $addToSet: { permissions: { $each: [...actions] } } })
  access.rolesChanged()
}
