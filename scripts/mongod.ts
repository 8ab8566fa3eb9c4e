import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { EngineServer } from '../server/database/embedded/engine-server.js'
import { openEngineServer } from '../server/database/embedded/engine-server.js'
import { loadEngine } from '../server/database/embedded/native-engine.js'

/**
 * The embedded engine as a `mongod` on 127.0.0.1, for tools that start one by themselves.
 * `mongodb-memory-server` reads the lines that are printed here: `waiting for connections`,
 * `Address already in use` and `exception in initAndListen: Name: …`.
 */

const version = '8.2.6'

class StartError extends Error {
  override readonly name: string

  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

let server: EngineServer | undefined
let isStopping = false

process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())

try {
  const { values } = readArguments()
  if (values.version) {
    console.log(`db version v${version}`)
  } else {
    const port = checkPort(values.port)
    await start(port, values.dbpath)
  }
} catch (error) {
  console.log(failureLine(error))
  process.exit(1)
}

async function start(port: number, directory: string): Promise<void> {
  if (!(await isDirectory(directory))) {
    throw new StartError('NonExistentPath', `Data directory ${directory} not found.`)
  }
  const engine = await loadEngine(join(directory, 'cache'))
  server = await openEngineServer({ engine, directory, listen: { host: '127.0.0.1', port } })
  if (isStopping) return stop()
  console.log(`waiting for connections on port ${port}`)
}

function readArguments() {
  try {
    const parsed = parseArgs({
      options: {
        version: { type: 'boolean', default: false },
        port: { type: 'string', default: '27017' },
        dbpath: { type: 'string', default: '/data/db' },
        bind_ip: { type: 'string', default: '127.0.0.1' },
        storageEngine: { type: 'string', default: 'wiredTiger' },
        noauth: { type: 'boolean', default: false },
        auth: { type: 'boolean', default: false },
        replSet: { type: 'string' },
      },
    })
    const { values } = parsed
    if (values.replSet !== undefined) refuse('--replSet: there are no replica sets')
    if (values.auth) refuse('--auth: there is no authentication')
    if (values.storageEngine !== 'wiredTiger') refuse('--storageEngine: it is wiredTiger')
    if (!['127.0.0.1', 'localhost'].includes(values.bind_ip)) {
      refuse('--bind_ip: without authentication it listens on 127.0.0.1 only')
    }
    return parsed
  } catch (error) {
    if (error instanceof StartError) throw error
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

function refuse(reason: string): never {
  throw new StartError('BadValue', `The embedded engine does not take ${reason}`)
}

function checkPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse(`--port ${text}`)
  return port
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

function failureLine(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'Address already in use'
  }
  const message = error instanceof Error ? error.message : String(error)
  // The engine says `embedded MongoDB error: DBPathInUse: Unable to lock …`.
  const name = error instanceof StartError ? error.name : /\b([A-Z]\w+): /.exec(message)?.[1]
  return `exception in initAndListen: ${name ?? 'UnknownError'}: ${message}, terminating`
}

async function stop(): Promise<void> {
  if (isStopping && !server) return
  isStopping = true
  const toClose = server
  server = undefined
  if (!toClose) return
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 9_000)
  await toClose.close()
  process.exit(0)
}
