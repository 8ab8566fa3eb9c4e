import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Db } from 'mongodb'
import { pino } from 'pino'
import { childrenOf } from '../../scripts/process-table.js'
import { connectDatabase } from '../../server/database/connect.js'
import { startDatabaseHost } from '../../server/database/host.js'
import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { conformanceModel } from '../support/conformance-model.js'
import { startApp } from '../support/start-app.js'
import { testSecrets } from '../support/test-secrets.js'
import type { MediaStore, OpenStore } from './media-stores.js'
import { quireCommand } from '../support/quire-command.js'

/** A data folder with the embedded engine, and a file store. Tests kill the engine and the services that use it. */
export type EngineSite = Readonly<{
  token: string
  adminJwt: string
  start: () => ServiceProcess
  /** Calls `work` with the database and the store while no service is running. */
  look: <T>(work: (db: Db, provider: StorageProvider) => Promise<T>) => Promise<T>
  /** Sets the time of all stored files to two hours ago. */
  age: MediaStore['age']
  rest: MediaStore['rest']
  /** Runs `npm run media -- check` and returns its output. */
  check: (...options: readonly string[]) => Promise<string>
  /** Lists what services have left in the folder for temporary files. */
  leftTemporary: () => Promise<readonly string[]>
  close: () => Promise<void>
}>

const execute = promisify(execFile)
const log = pino({ level: 'silent' })

/** Opens a site. Returns undefined if the store is not available. */
export async function openEngineSite(
  open: OpenStore,
  settings: Readonly<Record<string, string>>,
): Promise<EngineSite | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-em-'))
  const close = () => rm(folder, { recursive: true, force: true })
  const store = await open(folder)
  if (store === undefined) {
    await close()
    return undefined
  }
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  const env = {
    ...{ ...testSecrets, DATA_DIR: folder, TMPDIR: temporary, SCHEMA_DIR: conformanceModel },
    ...{ ...store.env, ...settings },
  }

  const withDatabase = async <T>(work: (uri: string) => Promise<T>): Promise<T> => {
    const host = await startDatabaseHost({ dataDir: folder, log })
    try {
      return await work(host.uri)
    } finally {
      await host.stop()
    }
  }
  const { token, adminJwt } = await withDatabase(async (databaseUri) => {
    const app = await startApp({ databaseUri })
    await app.stop()
    return app
  })
  return {
    ...{ token, adminJwt, close },
    start: () => runService(env, folder),
    look: (work) =>
      withDatabase(async (uri) => {
        const client = await connectDatabase(uri, { appName: 'test' })
        const provider = store.openProvider(client.db())
        try {
          return await work(client.db(), provider)
        } finally {
          await provider.close?.()
          await client.close()
        }
      }),
    age: store.age,
    rest: store.rest,
    check: async (...options) => {
      const ran = await execute(process.execPath, [quireCommand, 'media', 'check', ...options], {
        ...{ cwd: folder, env: { PATH: process.env['PATH'], ...env } },
      }).catch((error: unknown) => error as { code: number; stdout: string; stderr: string })
      // The command also exits with 1 if it has found problems. Then it prints them to standard output.
      return 'code' in ran && ran.stdout === '' ? ran.stderr : ran.stdout
    },
    leftTemporary: () => readdir(temporary),
  }
}

/** Returns the process id of a service's embedded engine. */
export async function engineOf(service: ServiceProcess): Promise<number> {
  for (const pid of await childrenOf(service.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('engine-process')) return pid
  }
  throw new Error('The service has no engine')
}
