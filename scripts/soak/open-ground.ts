import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startDatabaseHost } from '../../server/database/host.js'
import type { Closers } from '../bench/closers.js'
import { inPackage } from '../bench/package-root.js'
import { childrenOf } from '../bench/process-table.js'
import { logInAdmin, type AdminLogin } from '../../cli/seed/access.js'
import { createApiClient } from '../../cli/seed/api-client.js'
import { seedDemo } from '../../cli/seed/seed-demo.js'
import { freePort } from '../free-port.js'
import type { SoakOptions } from './options.js'
import { processFigures } from './process-figures.js'
import { readMetrics } from './read-metrics.js'
import type { ProcessSample } from './sample.js'
import { startService, type StartedService } from './start-service.js'

/** What the load is sent to, and what is known of its processes. */
export type Ground = Readonly<{
  urls: readonly string[]
  /** A full-access API token. */
  token: string
  user: Readonly<{ identifier: string; password: string }>
  /** What each process holds at this moment, by its name. */
  processes: () => Promise<Readonly<Record<string, ProcessSample>>>
  /** Whether a process is a service, and no database. */
  isService: (name: string) => boolean
}>

const admin: AdminLogin = { email: 'soak@quire.example', password: 'Soak-for-an-hour-1' }

/** Starts services or takes those that run, fills them with the demo's content, and makes a token and a user. */
export async function openGround(options: SoakOptions, closers: Closers): Promise<Ground> {
  const started = options.urls.length > 0 ? undefined : await startAll(options, closers)
  const urls = started?.services.map(({ url }) => url) ?? options.urls.map(withoutSlash)
  const [first = ''] = urls
  const login = options.admin ?? admin
  await seedDemo({ base: first, admin: login, pictureWidth: 600 })
  const token = await makeToken(first, login, closers)
  const user = await makeUser(first, token, closers)
  return {
    ...{ urls, token, user },
    isService: (name) => name.startsWith('service'),
    processes: async () => {
      const services = await Promise.all(
        urls.map(async (url, at) => {
          const service = started?.services[at]
          const told =
            service === undefined
              ? await readMetrics(url, { Authorization: `Bearer ${token}` })
              : { ...service.figures(), ...(await processFigures(service.pid)) }
          return [`service ${at + 1}`, { ...unknown, ...told }] as const
        }),
      )
      const databases = await Promise.all(
        ((await started?.databases()) ?? []).map(
          async (pid) => ['database', { ...unknown, ...(await processFigures(pid)) }] as const,
        ),
      )
      return Object.fromEntries([...services, ...databases])
    },
  }
}

const unknown: ProcessSample = {
  ...{ rss: null, heapUsed: null, heapKept: null, external: null, loopDelay: null },
  ...{ files: null, connections: null, handles: null },
}

type Started = Readonly<{
  services: readonly StartedService[]
  /** The processes of a database that was started, too. */
  databases: () => Promise<readonly number[]>
}>

async function startAll(
  { instances, database, out }: SoakOptions,
  closers: Closers,
): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-soak-'))
  closers.add(() => rm(folder, { recursive: true, force: true }))
  const isUri = /^mongodb(\+srv)?:\/\//.test(database)
  const isStarted = !isUri && database !== 'embedded'
  const host = isStarted
    ? await startDatabaseHost({
        ...{ dataDir: join(folder, 'database'), mongod: database },
        log: pino({ level: 'error' }),
      })
    : undefined
  if (host !== undefined) closers.add(() => host.stop())
  const own = await childrenOf(process.pid)
  const uri = host?.uri ?? (isUri ? database : undefined)
  const environment = {
    ...(uri === undefined ? {} : { MONGODB_URI: uri }),
    ...{ SCHEMA_DIR: inPackage('schema'), LOG_LEVEL: 'warn', UPLOAD_PROVIDER: 'gridfs' },
    ...{
      JWT_SECRET: 'the jwt secret of the soak, which is long enough',
      API_TOKEN_SALT: 'the salt of the soak, long enough, too',
    },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    // All logins come from one address.
    AUTH_RATE_LIMIT_MAX: '1000000',
  }
  const services: StartedService[] = []
  for (let at = 1; at <= instances; at += 1) {
    const name = `service-${at}`
    const data = { DATA_DIR: join(folder, name) }
    const service = await startService(name, await freePort(), { ...environment, ...data }, out)
    closers.add(service.stop)
    services.push(service)
  }
  const ofService = services[0]?.pid ?? 0
  return {
    services,
    databases: async () => (uri === undefined ? await childrenOf(ofService) : isUri ? [] : own),
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

async function makeToken(base: string, login: AdminLogin, closers: Closers): Promise<string> {
  const api = await logInAdmin(base, login)
  const name = `Soak ${new Date().toISOString()}`
  const { data } = await api.post<{ data: { id: number; accessKey: string } }>(
    '/admin/api-tokens',
    { name, description: '', type: 'full-access', lifespan: null, permissions: null },
  )
  closers.add(() => api.delete(`/admin/api-tokens/${data.id}`))
  return data.accessKey
}

async function makeUser(base: string, token: string, closers: Closers): Promise<Ground['user']> {
  const name = `soak-${Date.now()}`
  const password = 'Soak-for-an-hour-1'
  const identifier = `${name}@quire.example`
  const answer = await createApiClient(base).post<{ user: { id: number } }>(
    '/api/auth/local/register',
    { username: name, email: identifier, password },
  )
  closers.add(() => createApiClient(base, token).delete(`/api/users/${answer.user.id}`))
  return { identifier, password }
}
