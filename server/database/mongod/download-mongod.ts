import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { makeFolder } from '../../project/make-folder.js'

export type DownloadOptions = Readonly<{
  dataDir: string
  /** Where the archives are, instead of MongoDB's own place; `http://` too, for a server of one's own. */
  downloadMirror?: string | undefined
  log: Logger
}>

/** The release that is downloaded. */
const downloadedVersion = '8.2.6'

/**
 * The path of a `mongod` in `DATA_DIR`, downloaded where it is not there yet, and compared with the checksum beside
 * the archive. By `mongodb-memory-server-core`, which knows the archive of each system, in a process of its own: it
 * reads its options from the environment, and only so it insists on certificates. Throws one line.
 */
export async function downloadMongod(options: DownloadOptions): Promise<string> {
  const { downloadMirror = '', log } = options
  const folder = join(resolve(options.dataDir), 'cache', 'mongod')
  await makeFolder(folder)
  log.info({ version: downloadedVersion, folder }, 'Looking for MongoDB, or downloading it')
  const child = fork(
    fileURLToPath(new URL('./download-process.js', import.meta.url)),
    [folder, downloadedVersion],
    {
      execArgv: [],
      cwd: folder,
      env: {
        ...withoutItsOptions(process.env),
        npm_config_strict_ssl: 'true',
        // Neither the one of the tests nor one in the user's home.
        MONGOMS_SYSTEM_BINARY: '',
        MONGOMS_PREFER_GLOBAL_PATH: 'false',
        MONGOMS_DOWNLOAD_DIR: folder,
        // Of what is undefined, the process is not told.
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

/** What the process says before it ends. */
export type DownloadAnswer = Readonly<{ program: string }> | Readonly<{ problem: string }>

/** What else is set for it, for tests most likely, is not meant for a service. */
const withoutItsOptions = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MONGOMS_')))
