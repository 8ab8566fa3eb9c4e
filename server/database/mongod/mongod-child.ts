import { spawn } from 'node:child_process'
import { readFile, stat, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type MongoClient,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb'
import type { Logger } from 'pino'
import { createClient } from '../../../engine/database/client.js'
import { EngineStartError } from '../engine-start-error.js'
import { pidFileName, findLockOwner } from '../lock-owner.js'
import type { Ended, StartingChild } from '../start-child.js'
import { moveLongLog, rotateLongLog } from './bound-log.js'
import { listenAddress } from './mongod-config.js'
import { type MongodFiles, type MongodSecrets, writePrivately } from './mongod-files.js'
import { openSet } from './open-set.js'
import { isOwned } from '../temp-folder.js'

/**
 * A file in the database's folder until the server is ready for the first time. While it exists, the database has no
 * content. The file contains the path of the private folder of the service that performs the first start.
 */
const markName = 'quire-first-start'
/** MongoDB's lock file. Quire never removes it, so that two servers cannot use the folder at the same time. */
const lockName = 'mongod.lock'

/**
 * Removes all files of an interrupted first start, because MongoDB may reject them forever ("missing
 * featureCompatibilityVersion document"). Leaves a folder without a mark alone.
 *
 * @throws EngineStartError while another service performs the first start. Its server may already write files although
 * the lock file does not name it yet.
 */
async function prepareFirstStart(directory: string, ownFolder: string, log: Logger): Promise<void> {
  const mark = join(directory, markName)
  const names = await readdir(directory)
  if (names.length === 0)
    return writeFile(mark, ownFolder, { flag: 'wx', mode: 0o600 }).catch(refuseExisting)
  if (!names.includes(markName)) return
  const owner = await readFile(mark, 'utf8')
  if (owner !== ownFolder && (await isOwned(owner))) throw inUse()
  if ((await findLockOwner(directory)) !== undefined) throw inUse()
  const left = names.filter((name) => name !== markName && name !== lockName)
  if (left.length > 0)
    log.warn({ directory }, 'The first start of MongoDB was interrupted. Creating its folder again')
  await writePrivately(mark, ownFolder)
  for (const name of left) await rm(join(directory, name), { recursive: true, force: true })
}

const inUse = () =>
  new EngineStartError('in-use', 'another service is starting the database for the first time')

function refuseExisting(error: NodeJS.ErrnoException): never {
  throw error.code === 'EEXIST' ? inUse() : error
}

/** Removes the mark of the first start. Call this once the server is ready, before any content is written. */
async function endFirstStart(directory: string): Promise<void> {
  await rm(join(directory, markName), { force: true })
  const folder = await open(directory, 'r')
  await folder.sync()
  await folder.close()
}

type MongodChildOptions = Readonly<{
  program: string
  files: MongodFiles
  secrets: MongodSecrets
  port: number
  /** Private folder of this process. Its path in the server's command line shows which service started the server. */
  ownFolder: string
  log: Logger
}>

const betweenAttemptsMs = 50
const betweenPingsMs = 200
const logCheckIntervalMs = 60_000

/** Spawns the server, which counts as ready once it accepts writes. */
export async function spawnMongod(options: MongodChildOptions): Promise<StartingChild> {
  const { program, files, port, ownFolder, log } = options
  await prepareFirstStart(files.directory, ownFolder, log)
  await moveLongLog(files.log)
  const { size: logStart } = await stat(files.log).catch(() => ({ size: 0 }))
  const child = spawn(
    program,
    ['--config', files.config, '--pidfilepath', join(ownFolder, pidFileName)],
    // Ctrl-C must reach only the service, which stops the server after its last response.
    { stdio: 'ignore', detached: true, windowsHide: true },
  )
  let client: MongoClient | undefined
  const ping = (answer: () => void): void => {
    // A starting server must not count as frozen: after a crash, it first replays its journal, however long that takes.
    if (client === undefined) return answer()
    const again = (): void => {
      if (child.exitCode === null && child.signalCode === null)
        setTimeout(() => ping(answer), betweenPingsMs).unref()
    }
    client.db('admin').command({ ping: 1 }).then(answer, again)
  }
  return {
    child,
    ping,
    untilReady: async (ended) => {
      const ready = await untilReady(options, ended)
      client = ready.client
      await endFirstStart(files.directory)
      superviseLog(ready.client, files, ended)
      const { version } = ready
      const message = `The database engine is ready: MongoDB ${version}. Its log is ${files.log}`
      return (started) => log.info({ ...started, version, port }, message)
    },
    quit: () => void child.kill('SIGTERM'),
    failure: (ended) => failureOf(ended, files, logStart),
  }
}

/**
 * Creates a client that authenticates as the server's own identity, which has every privilege. Only this module uses
 * it.
 */
function clientOf(key: string, port: number): MongoClient {
  const address = `${listenAddress}:${port}/?directConnection=true&authSource=local`
  const credentials = `__system:${encodeURIComponent(key)}`
  return createClient(
    `mongodb://${credentials}@${address}&authMechanism=SCRAM-SHA-256&serverSelectionTimeoutMS=300`,
    { appName: 'quire watch', maxPoolSize: 2 },
  )
}

/** Resolves when the server is ready. Throws if its process ends before that. */
async function untilReady(
  { port, secrets }: MongodChildOptions,
  ended: AbortSignal,
): Promise<Readonly<{ client: MongoClient; version: string }>> {
  const set = { host: `${listenAddress}:${port}`, password: secrets.password }
  for (;;) {
    // Create a client for each attempt: a client whose first connection failed does not retry.
    const client = clientOf(secrets.key, port)
    try {
      const version = await openSet(client, set, ended)
      ended.throwIfAborted()
      return { client, version }
    } catch (error) {
      await client.close().catch(() => undefined)
      if (ended.aborted || !isAway(error)) throw error
    }
    await sleep(betweenAttemptsMs)
  }
}

/** Whether the server does not listen yet, or is in a transient state. */
const isAway = (error: unknown): boolean =>
  error instanceof MongoServerSelectionError ||
  error instanceof MongoNetworkError ||
  (error instanceof MongoServerError && passing.has(error.code))

/** `NotPrimaryOrSecondary`, `NotPrimaryNoSecondaryOk`, `NotWritablePrimary`, `InterruptedDueToReplStateChange`, … */
const passing: ReadonlySet<unknown> = new Set([
  13436, 13435, 10107, 11602, 189, 91, 94, 93, 103, 109,
])

function superviseLog(client: MongoClient, files: MongodFiles, ended: AbortSignal): void {
  const logs = setInterval(() => {
    rotateLongLog(client, files.log).catch(() => undefined)
  }, logCheckIntervalMs)
  logs.unref()
  ended.addEventListener('abort', () => {
    clearInterval(logs)
    void client.close().catch(() => undefined)
  })
}

/** Returns why the server did not start, according to the lines that it added to its log. */
async function failureOf(
  { how, wasKilled }: Ended,
  { log }: MongodFiles,
  logStart: number,
): Promise<EngineStartError> {
  const output = await tailOf(log, logStart)
  if (output.includes('DBPathInUse')) return new EngineStartError('in-use', how)
  const last = output
    .split('\n')
    .flatMap(
      (line) => /"s":"[EF]".*?"msg":"([^"]*)".*?(?:"error":("[^"]*"|\{.*?\}))?/.exec(line) ?? [],
    )
    .at(1)
  return new EngineStartError('other', last === undefined ? how : `${last} (${how})`, wasKilled)
}

const maxTailBytes = 65_536

async function tailOf(path: string, from: number): Promise<string> {
  const whole = await readFile(path).catch(() => Buffer.alloc(0))
  return whole
    .subarray(from > whole.length ? 0 : from)
    .subarray(-maxTailBytes)
    .toString()
}
