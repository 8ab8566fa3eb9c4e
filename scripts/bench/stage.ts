import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Db } from 'mongodb'
import { pino } from 'pino'
import { loadConfig } from '../../server/settings/config.js'
import { connectDatabase } from '../../server/database/connect.js'
import { startDatabaseHost } from '../../server/database/host.js'
import type { Quire } from '../../server/lifecycle/start.js'
import { startQuire } from '../../server/lifecycle/start.js'
import { createApiClient } from '../../cli/seed/api-client.js'
import type { Closers } from './closers.js'
import type { BenchOptions } from './options.js'
import { checkStored } from './data/check-stored.js'
import { loadData } from './data/load-data.js'
import { createPages } from './data/pages.js'
import { inPackage } from './package-root.js'
import { childrenOf } from './process-table.js'

/** What all servers stand on: one database process, one database that is filled, and folders. */
export type Stage = Readonly<{
  /** Of the database, and what servers write. */
  folder: string
  uri: string
  db: Db
  /** 0 where the system does not tell. */
  enginePid: number
  /** A full-access API token of Quire. */
  token: string
  /** What every Quire is started with. */
  environment: Readonly<Record<string, string>>
}>

/** How many articles are loaded, and into which database. */
type StageOptions = Pick<BenchOptions, 'size' | 'mongod'> &
  Partial<Pick<BenchOptions, 'cacheSize' | 'data'>>

/**
 * Starts the database, lets Quire make its collections and indexes, and loads `size` articles; or takes those that an
 * earlier run has loaded into the same folder.
 */
export async function openStage(options: StageOptions, closers: Closers): Promise<Stage> {
  const { size, mongod, cacheSize } = options
  const folder = await folderFor(options, closers)
  const isLoaded = join(folder, 'is-loaded')
  const before = await childrenOf(process.pid)
  const host = await startDatabaseHost({
    dataDir: join(folder, 'engine'),
    mongod,
    ...(cacheSize === undefined ? {} : { memory: { cacheSize } }),
    log: pino({ level: 'error' }),
  })
  closers.add(() => host.stop())
  const [enginePid = 0] = (await childrenOf(process.pid)).filter((pid) => !before.includes(pid))
  const client = await connectDatabase(host.uri, { appName: 'quire bench' })
  closers.add(() => client.close())
  const environment = {
    MONGODB_URI: host.uri,
    DATA_DIR: join(folder, 'quire'),
    ...commonEnvironment,
  }
  const db = client.db()
  const token = await withQuire(environment, async (quire) => {
    const token = await makeToken(quire)
    if (await exists(isLoaded)) return token
    await loadData(db, size)
    const api = createApiClient(quire.url, token)
    await checkStored(db, api, size)
    await createPages(api, size)
    await writeFile(isLoaded, '')
    return token
  })
  return { folder, uri: host.uri, db, enginePid, token, environment }
}

/** One for each size and engine in `data`; without it a temporary one. */
async function folderFor({ size, mongod, data }: StageOptions, closers: Closers): Promise<string> {
  if (data === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'))
    closers.add(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  const folder = resolve(data, `${mongod === undefined ? 'embedded' : 'mongod'}-${size}`)
  // Half of what was to be loaded is nothing to go on with.
  if (!(await exists(join(folder, 'is-loaded')))) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return folder
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** With secrets that are given, a token is known to every Quire on the database. */
export const commonEnvironment = {
  ...{ HOST: '127.0.0.1', SCHEMA_DIR: inPackage('scripts/bench/schema') },
  ...{
    JWT_SECRET: 'the secret of the benchmark, long enough',
    API_TOKEN_SALT: 'the salt of the benchmark, long enough',
  },
} as const

/** A Quire in this process, for what is not measured. */
export async function withQuire<T>(
  environment: Readonly<Record<string, string>>,
  use: (quire: Quire) => Promise<T>,
): Promise<T> {
  const config = loadConfig({ ...environment, PORT: '0' })
  const quire = await startQuire(config, { log: pino({ level: 'error' }) })
  try {
    return await use(quire)
  } finally {
    await quire.stop()
  }
}

export async function makeToken({ access }: Quire): Promise<string> {
  const draft = { description: '', type: 'full-access', permissions: [], lifespan: null } as const
  const { accessKey } = await access.tokens.create(
    { ...draft, name: `benchmark ${Date.now()}` },
    null,
  )
  return accessKey
}
