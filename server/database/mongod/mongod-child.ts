import { spawn, type ChildProcess } from 'node:child_process'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MongoClient } from 'mongodb'
import { createClient } from '../../../engine/database/client.js'
import { EngineStartError } from '../engine-start-error.js'
import { askEveryMs, busyTeller, createFreezeWatch } from '../freeze-watch.js'
import { pidFileName } from '../lock-holder.js'
import type { Run } from '../supervise.js'
import { moveLongLog, rotateLongLog } from './bound-log.js'
import { listenAddress } from './mongod-config.js'
import type { MongodFiles, MongodSecrets } from './mongod-files.js'
import { openSet } from './open-set.js'

/** One run of a looked-after server, seen from its parent. */
export type MongodChild = Run & Readonly<{ pid: number; version: string }>

export type MongodChildOptions = Readonly<{
  program: string
  files: MongodFiles
  secrets: MongodSecrets
  port: number
  /** The private folder of this process, by which another start knows whose server it is. */
  ownFolder: string
  /** Called when the process does not move any more, before it is killed. */
  onFrozen: (pid: number) => void
  /** How often it is asked whether it lives; for tests. */
  askEveryMs?: number | undefined
}>

const stopWithinMs = 20_000
const betweenAttemptsMs = 50
const betweenLogLooksMs = 60_000

/** Starts the server and waits until it takes writes; throws an `EngineStartError`. One that is frozen is killed. */
export async function startMongodChild(options: MongodChildOptions): Promise<MongodChild> {
  const { program, files } = options
  await moveLongLog(files.log)
  const { size: logStart } = await stat(files.log).catch(() => ({ size: 0 }))
  const child = spawn(
    program,
    ['--config', files.config, '--pidfilepath', join(options.ownFolder, pidFileName)],
    // A group of its own: Ctrl-C is for the service, which ends this when the last request is answered.
    { stdio: 'ignore', detached: true, windowsHide: true },
  )
  const gone = new AbortController()
  const ended = endOf(child, () => gone.abort())
  try {
    const { client, version } = await untilReady(options, ended, gone.signal)
    const stopWatching = watch(child, client, options, ended)
    const { pid = 0 } = child
    return {
      pid,
      version,
      ended: ended.finally(() => void client.close().catch(() => undefined)),
      stop: async () => {
        stopWatching()
        await stopChild(child, ended)
      },
    }
  } catch (error) {
    const hasEnded = gone.signal.aborted
    await stopChild(child, ended)
    throw hasEnded
      ? await failure(await ended, files, logStart)
      : new EngineStartError('other', error instanceof Error ? error.message : String(error))
  }
}

function endOf(child: ChildProcess, onEnd: () => void): Promise<string> {
  return new Promise((resolve) => {
    const end = (how: string): void => {
      onEnd()
      resolve(how)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(signal ? `killed by ${signal}` : `exit code ${code}`))
  })
}

/** As the server itself: it may do everything, and is not in use by anything else. */
function clientOf(key: string, port: number): MongoClient {
  const address = `${listenAddress}:${port}/?directConnection=true&authSource=local`
  const credentials = `__system:${encodeURIComponent(key)}`
  return createClient(
    `mongodb://${credentials}@${address}&authMechanism=SCRAM-SHA-256&serverSelectionTimeoutMS=300`,
    { appName: 'quire watch', maxPoolSize: 2 },
  )
}

/** As long as the server lives it may take: after a crash it first reads its journal. */
async function untilReady(
  { port, secrets }: MongodChildOptions,
  ended: Promise<string>,
  gone: AbortSignal,
): Promise<Readonly<{ client: MongoClient; version: string }>> {
  const set = { host: `${listenAddress}:${port}`, password: secrets.password }
  for (;;) {
    // One that once failed to connect does not try again.
    const client = clientOf(secrets.key, port)
    try {
      const version = await Promise.race([openSet(client, set, gone), ended.then(throwEnded)])
      return { client, version }
    } catch (error) {
      await client.close().catch(() => undefined)
      if (gone.aborted || !isAway(error)) throw error
    }
    await sleep(betweenAttemptsMs)
  }
}

const throwEnded = (how: string): never => {
  throw new Error(how)
}

/** Nobody listens yet, or it is not what it will be. */
const isAway = (error: unknown): boolean =>
  error instanceof Error &&
  (/^Mongo(ServerSelection|Network|PoolCleared)/.test(error.name) ||
    ('code' in error && passing.has(error.code)))

/** `NotPrimaryOrSecondary`, `NotPrimaryNoSecondaryOk`, `NotWritablePrimary`, `InterruptedDueToReplStateChange`, … */
const passing: ReadonlySet<unknown> = new Set([
  13436, 13435, 10107, 11602, 189, 91, 94, 93, 103, 109,
])

/** Until it has ended, or is told to. */
function watch(
  child: ChildProcess,
  client: MongoClient,
  { files, onFrozen, askEveryMs: everyMs = askEveryMs }: MongodChildOptions,
  ended: Promise<string>,
): () => void {
  const { pid = 0 } = child
  let isWatching = true
  const ask = (answered: () => void): void => {
    const again = () => (isWatching ? setTimeout(() => ask(answered), everyMs).unref() : undefined)
    client.db('admin').command({ ping: 1 }).then(answered, again)
  }
  const isFrozen = createFreezeWatch({
    ask,
    isBusy: busyTeller(pid),
  })
  const pulse = setInterval(() => {
    if (!isFrozen()) return
    stop()
    onFrozen(pid)
    child.kill('SIGKILL')
  }, everyMs)
  const logs = setInterval(() => {
    rotateLongLog(client, files.log).catch(() => undefined)
  }, betweenLogLooksMs)
  pulse.unref()
  logs.unref()
  const stop = (): void => {
    isWatching = false
    clearInterval(pulse)
    clearInterval(logs)
  }
  void ended.then(stop)
  return stop
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(kill)
}

/** What the server wrote into its log before it ended. */
async function failure(
  how: string,
  { log }: MongodFiles,
  logStart: number,
): Promise<EngineStartError> {
  const said = await tailOf(log, logStart)
  if (said.includes('DBPathInUse')) return new EngineStartError('in-use', how)
  const last = said
    .split('\n')
    .flatMap(
      (line) => /"s":"[EF]".*?"msg":"([^"]*)".*?(?:"error":("[^"]*"|\{.*?\}))?/.exec(line) ?? [],
    )
    .at(1)
  return new EngineStartError('other', last === undefined ? how : `${last} (${how})`)
}

const keptTail = 65_536

async function tailOf(path: string, from: number): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const start = Math.max(from > size ? 0 : from, size - keptTail)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(keptTail), 0, keptTail, start)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}
