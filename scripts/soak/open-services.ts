import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { logInAdmin } from '../../cli/seed/access.js'
import { createApiClient } from '../../cli/seed/api-client.js'
import { seedDemo } from '../../cli/seed/seed-demo.js'
import { launch } from '../../cli/start/launch.js'
import { startDatabaseHost } from '../../server/database/host.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { childrenOf, memoryOf } from '../bench/process-table.js'
import { freePort } from '../free-port.js'
import type { SoakOptions } from './options.js'
import { figures, type ProcessSample } from './verdict.js'

export type Close = () => Promise<unknown>
export type Services = Awaited<ReturnType<typeof openServices>>

const password = 'Soak-for-an-hour-1'
const stopWithParent = new URL('../../cli/start/stop-with-parent.js', import.meta.url).href

/** Starts services or takes those that run, fills them with the demo's content, and creates a token and a user. */
export async function openServices(options: SoakOptions, opened: Close[]) {
  const started = options.urls.length > 0 ? undefined : await startAll(options, opened)
  const urls = started?.urls ?? options.urls.map((url) => url.replace(/\/+$/, ''))
  const [base = ''] = urls
  const admin = started?.admin ?? { email: options.email, password: options.password }
  await seedDemo({ base, admin })
  const api = await logInAdmin(base, admin)
  const name = `Soak ${new Date().toISOString()}`
  const settings = { name, description: '', type: 'full-access', lifespan: null, permissions: null }
  type Created = Readonly<{ data: { id: number; accessKey: string }; user: { id: number } }>
  const { data } = await api.post<Created>('/admin/api-tokens', settings)
  opened.push(() => api.delete(`/admin/api-tokens/${data.id}`))
  const token = data.accessKey
  const login = { identifier: `soak-${Date.now()}@quire.example`, password }
  const registration = { username: login.identifier, email: login.identifier, password }
  const { user } = await createApiClient(base).post<Created>(
    '/api/auth/local/register',
    registration,
  )
  opened.push(() => createApiClient(base, token).delete(`/api/users/${user.id}`))
  return {
    urls,
    token,
    login,
    processes: async (): Promise<Record<string, ProcessSample>> => {
      const each = await Promise.all(
        urls.map(async (url, at) => [`service ${at + 1}`, await readMetrics(url)] as const),
      )
      const rss = (await started?.databaseMemory()) ?? 0
      return { ...Object.fromEntries(each), ...(rss > 0 ? { database: { rss } } : {}) }
    },
  }
}

async function startAll({ instances, database, out }: SoakOptions, opened: Close[]) {
  const folder = await mkdtemp(join(tmpdir(), 'quire-soak-'))
  opened.push(() => rm(folder, { recursive: true, force: true }))
  const isUri = /^mongodb(\+srv)?:\/\//.test(database)
  const dataDir = join(folder, 'database')
  const host =
    isUri || database === 'embedded'
      ? undefined
      : await startDatabaseHost({ dataDir, mongod: database, log: pino({ level: 'error' }) })
  if (host !== undefined) opened.push(() => host.stop())
  const databases = [...(await childrenOf(process.pid))]
  const uri = host?.uri ?? (isUri ? database : undefined)
  const admin = { email: 'soak@quire.example', password }
  const environment = {
    ...(uri === undefined ? {} : { MONGODB_URI: uri }),
    SCHEMA_DIR: join(packageRoot, 'schema'),
    LOG_LEVEL: 'warn',
    UPLOAD_PROVIDER: 'gridfs',
    JWT_SECRET: 'the jwt secret of the soak, which is long enough',
    API_TOKEN_SALT: 'the salt of the soak, long enough, too',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: password,
    METRICS_ENABLED: 'true',
    // All logins come from one address.
    AUTH_RATE_LIMIT_MAX: '1000000',
  }
  const urls: string[] = []
  for (let at = 1; at <= instances; at += 1) {
    const log = join(out, `service-${at}.log`)
    const DATA_DIR = join(folder, String(at))
    const { url, pid, stop } = await startService({ ...environment, DATA_DIR }, log)
    opened.push(stop)
    urls.push(url)
    if (uri === undefined) databases.push(...(await childrenOf(pid)))
  }
  return { urls, admin, databaseMemory: () => memoryOf(databases) }
}

/** Starts a service as `npm start` does, and waits until it is ready. */
async function startService(environment: Readonly<Record<string, string>>, logFile: string) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const log = openSync(logFile, 'w')
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...launch.environment,
    ...environment,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: port,
  }
  const child = spawn(
    process.execPath,
    [...launch.nodeOptions, '--import', stopWithParent, launch.program],
    { env, stdio: ['ignore', log, log, 'ipc'] },
  )
  const ended = once(child, 'exit')
  for (let isReady = false; !isReady; await sleep(50)) {
    if ((child.exitCode ?? child.signalCode) !== null)
      throw new Error(`A service did not start; see ${logFile}`)
    isReady = (await fetch(`${url}/_ready`).catch(() => undefined))?.ok === true
  }
  const stop = async (): Promise<void> => {
    child.kill()
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`A service ended with ${code}; see ${logFile}`)
  }
  return { url, pid: child.pid ?? 0, stop }
}

/** Reads what `/metrics` of a service says of its process; nothing if it has no metrics. */
async function readMetrics(url: string): Promise<ProcessSample> {
  const answer = await fetch(`${url}/metrics`).catch(() => undefined)
  return answer?.ok === true ? figuresIn(await answer.text()) : {}
}

/** Reads Prometheus's text format. */
export const figuresIn = (text: string): ProcessSample =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([figure, [metric]]) => {
      const value = Number(new RegExp(`^${metric}(?:{.*})? (\\S+)$`, 'm').exec(text)?.[1])
      return Number.isFinite(value) ? [[figure, value]] : []
    }),
  )
