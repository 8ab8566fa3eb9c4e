import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openEngineServer, type EngineServer } from '../server/database/embedded/engine-server.js'
import { loadEngine } from '../server/database/embedded/native-engine.js'
import { stopOnSignals } from '../server/lifecycle/stop-on-signals.js'

/**
 * Runs the embedded engine with the command line and output of `mongod`, for tools that start a `mongod`. For example,
 * `mongodb-memory-server` reads `waiting for connections`, `Address already in use` and `exception in initAndListen:
 * …`.
 */

const version = '8.2.6'
const stopping = stopOnSignals()

try {
  const { isVersion, port, dbpath } = readArguments()
  if (isVersion) console.log(`db version v${version}`)
  else await start(port, dbpath)
} catch (error) {
  console.log(failureLine(error))
  process.exit(1)
}

async function start(port: number, directory: string): Promise<void> {
  if (!(await stat(directory).catch(() => undefined))?.isDirectory())
    throw new Error(`NonExistentPath: Data directory ${directory} not found.`)
  const engine = await loadEngine(join(directory, 'cache'))
  const server = await openEngineServer({ engine, directory, listen: { host: '127.0.0.1', port } })
  if (stopping.aborted) return stop(server)
  stopping.addEventListener('abort', () => void stop(server))
  console.log(`waiting for connections on port ${port}`)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        version: { type: 'boolean', default: false },
        port: { type: 'string', default: '27017' },
        dbpath: { type: 'string', default: '/data/db' },
        bind_ip: { type: 'string', default: '127.0.0.1' },
        storageEngine: { type: 'string', default: 'wiredTiger' },
        noauth: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (values.storageEngine !== 'wiredTiger') throw new Error('--storageEngine: it is wiredTiger')
    if (!['127.0.0.1', 'localhost'].includes(values.bind_ip))
      throw new Error('--bind_ip: without authentication it listens on 127.0.0.1 only')
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error(`--port ${values.port}`)
    return { isVersion: values.version, port, dbpath: values.dbpath }
  } catch (error) {
    throw new Error(`BadValue: ${(error as Error).message}`, { cause: error })
  }
}

function failureLine(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'Address already in use'
  // Remove the beginning of the engine's message, such as `embedded MongoDB error: DBPathInUse: Unable to lock …`.
  const shown = /\b[A-Z]\w+: .*/s.exec(message)?.[0] ?? `UnknownError: ${message}`
  return `exception in initAndListen: ${shown}, terminating`
}

async function stop(server: EngineServer): Promise<void> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 9_000)
  await server.close()
  process.exit(0)
}
