import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { makeFolder } from '../../project/make-folder.js'

export type DownloadOptions = Readonly<{
  dataDir: string
  /** Server to download MongoDB's archives from. A private one may use `http://`. */
  downloadMirror?: string | undefined
  log: Logger
}>

const downloadedVersion = '8.2.6'

/**
 * Returns the path of a `mongod` in `DATA_DIR`, downloading it if missing and verifying its checksum.
 * `mongodb-memory-server-core` finds the archive for each system. It reads its options, one of which requires valid
 * certificates, from environment variables, so it runs in a process of its own. Throws an error with one line.
 */
export async function downloadMongod(options: DownloadOptions): Promise<string> {
  const { downloadMirror = '', log } = options
  const folder = join(resolve(options.dataDir), 'cache', 'mongod')
  await makeFolder(folder)
  log.info({ version: downloadedVersion, folder }, 'Finding or downloading MongoDB')
  const child = fork(
    fileURLToPath(new URL('./download-process.js', import.meta.url)),
    [folder, downloadedVersion],
    {
      execArgv: [],
      cwd: folder,
      env: {
        ...withoutItsOptions(process.env),
        npm_config_strict_ssl: 'true',
        // Do not use a `mongod` configured for tests, or one downloaded to the user's home.
        MONGOMS_SYSTEM_BINARY: '',
        MONGOMS_PREFER_GLOBAL_PATH: 'false',
        MONGOMS_DOWNLOAD_DIR: folder,
        // Node does not pass undefined variables to the process.
        MONGOMS_DOWNLOAD_MIRROR: downloadMirror || undefined,
        MONGOMS_USE_HTTP: downloadMirror.startsWith('http://') ? 'true' : undefined,
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  )
  const answers: DownloadAnswer[] = []
  child.on('message', (message: DownloadAnswer) => answers.push(message))
  await once(child, 'exit')
  const [answer = { problem: 'its process ended' }] = answers
  if ('program' in answer) return answer.program
  throw new Error(
    `MongoDB could not be downloaded: ${answer.problem}. Install it and set database.mongod, or set MONGODB_URI.`,
  )
}

/** The only message of the download process, sent before it ends. */
export type DownloadAnswer = Readonly<{ program: string }> | Readonly<{ problem: string }>

/** Removes options of `mongodb-memory-server-core` that are already set: they are probably meant for tests. */
const withoutItsOptions = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MONGOMS_')))
