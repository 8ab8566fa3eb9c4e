import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino, type DestinationStream } from 'pino'
import { setHashCosts } from '../../engine/write/rules/hash-password.js'
import { loadConfig } from '../../server/settings/config.js'
import type { ProviderTable } from '../../server/accounts/providers/provider-table.js'
import type { Settings } from '../../server/settings/settings.js'
import { startQuire, type Quire } from '../../server/lifecycle/start.js'
import { checkedSender } from './check-answer.js'
import { conformanceModel } from './conformance-model.js'
import { sender, type Send } from './request.js'
import { testSecrets } from './test-secrets.js'

setHashCosts({ memoryCost: 8, timeCost: 1 })

export type TestAppOptions = Readonly<{
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
}>

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

/** Makes services wait only this long for open connections when they stop, because test clients keep theirs open. */
const quickEnd: Partial<Settings> = { 'http.shutdownGraceMs': 20 }

/**
 * Starts a complete service in this process, on a free port.
 * @param databaseUri URI of an existing database. If undefined, the service starts the embedded engine.
 */
export async function openTestApp(
  databaseUri: string | undefined,
  options: TestAppOptions,
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-app-'))
  const base = loadConfig(
    {
      ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder },
      ...testSecrets,
      ...(databaseUri === undefined ? {} : { MONGODB_URI: databaseUri }),
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
      await quire.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function schemaFolder(
  { schema, schemaDir = conformanceModel }: TestAppOptions,
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
