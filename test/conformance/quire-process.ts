import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isReplicaSet, startDatabaseServer } from '../support/database-server.js'
import { dataPath } from './data.js'
import type { Options as RunOptions } from './options.js'
import { freePort } from '../../scripts/free-port.js'

type QuireProcess = Readonly<{
  /** `http://127.0.0.1:40123` */
  base: string
  stop: () => Promise<void>
}>

type Options = Pick<RunOptions, 'log' | 'pool' | 'profile'>

/** Runs `use` with the address of a fresh service. Stops the service afterwards, or on a signal to this process. */
export async function withQuire<T>(
  options: Options,
  use: (base: string) => Promise<T>,
): Promise<T> {
  const quire = await startQuire(options)
  const stopAndExit = (): void => void quire.stop().then(() => process.exit(1))
  process.once('SIGINT', stopAndExit).once('SIGTERM', stopAndExit)
  try {
    return await use(quire.base)
  } finally {
    process.off('SIGINT', stopAndExit).off('SIGTERM', stopAndExit)
    await quire.stop()
  }
}

/**
 * With `TEST_REPLICA_SET=true`, uses a replica set that runs `MONGOMS_SYSTEM_BINARY`. Throws if the service is not
 * ready within a minute.
 */
async function startQuire({ log: logFile, pool, profile }: Options): Promise<QuireProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-conformance-'))
  const log = logFile ?? join(folder, 'quire.log')
  const port = await freePort()
  const database = isReplicaSet() ? await startDatabaseServer() : undefined
  const child = spawn(process.execPath, [fileURLToPath(mainFile)], {
    env: {
      ...{
        ...inherited(),
        ...settings,
        ...profileSettings[profile],
        DATA_DIR: join(folder, 'data'),
        PORT: String(port),
      },
      ...(pool ? { POOL_COST_THRESHOLD: '0' } : {}),
      ...(database === undefined ? {} : { MONGODB_URI: database.uriOf('conformance') }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const sink = createWriteStream(log)
  child.stdout.pipe(sink, { end: false })
  child.stderr.pipe(sink, { end: false })

  const stop = async (): Promise<void> => {
    await end(child)
    await database?.stop()
    sink.end()
    await rm(folder, { recursive: true, force: true })
  }
  const base = `http://127.0.0.1:${port}`
  try {
    await untilReady(base, child)
  } catch (error) {
    const tail = (await readFile(log, 'utf8').catch(() => '')).slice(-4000)
    await stop()
    throw new Error(`${(error as Error).message}\n${tail}`, { cause: error })
  }
  return { base, stop }
}

const mainFile = new URL('../../server/main.js', import.meta.url)

const settings = {
  HOST: '127.0.0.1',
  SCHEMA_DIR: dataPath('model'),
  AUTH_RATE_LIMIT_MAX: '100000',
  LOG_LEVEL: 'warn',
}

/** Environment variables of a service, by profile. */
export const profileSettings = {
  strict: { API_REST_WRAP_FILTERED_RELATIONS: 'false', API_REST_PUBLIC_DRAFTS: 'true' },
  strapi: { PROFILE: 'strapi' },
}

// Pass nothing else on: a `MONGODB_URI` or a setting in the caller's shell must not reach the service under test.
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  )

async function untilReady(base: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error(`Quire ended with code ${child.exitCode} at its start`)
    const response = await fetch(`${base}/_ready`).catch(() => undefined)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error('Quire was not ready within a minute')
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await exit
  clearTimeout(killer)
}
