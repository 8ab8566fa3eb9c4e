import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { messageOf } from '../../engine/errors/message-of.js'
import { EngineStartError } from './engine-start-error.js'
import { refusalOf } from './find-obstacle.js'
import { pingIntervalMs, createBusyCheck, createFreezeWatch } from './freeze-watch.js'

/** How to run the embedded engine or a managed MongoDB as a child process. */
export type ChildKind = Readonly<{
  /** Capitalized, to begin a sentence. */
  name: string
  /** Folder of the database's files. */
  directory: string
  /** Calls `start` again after failures that may be transient. Default: `start` is called once. */
  retry?: (start: () => Promise<Run>) => Promise<Run>
  /** Spawns a process. Every process of this database listens at the same address. */
  spawn: () => StartingChild | Promise<StartingChild>
  /** Milliseconds until a process that does not stop is killed. */
  stopWithinMs: number
  /** A sentence to show if the process does not start although no obstacle is found. */
  advice: string
}>

/** A database process that was just spawned. */
export type StartingChild = Readonly<{
  child: ChildProcess
  /**
   * Resolves with a function that logs that the database is ready. Rejects with an `EngineStartError` for known causes.
   *
   * @param ended aborted when the process has ended
   */
  untilReady: (ended: AbortSignal) => Promise<(started: StartedChild) => void>
  /** `answer` is called when the process responds. */
  ping: (answer: () => void) => void
  quit: () => void
  lastWords?: () => string
  /** Called if the process ends before it is ready. Returns the reason. Default: the error says only how it ended. */
  failure?: (ended: Ended) => Promise<EngineStartError>
}>

/** Fields of the log line about a successful start. */
export type StartedChild = Readonly<{ enginePid: number; milliseconds: number }>

/** How a process ended, in words, and whether by SIGKILL. */
export type Ended = Readonly<{ how: string; wasKilled: boolean }>

/** A running database process. */
export type Run = Readonly<{
  ended: Promise<Ended>
  /** Asks the process to end, and kills it if it does not in time. */
  stop: () => Promise<void>
}>

export type ChildOptions = Readonly<{
  log: Logger
  /** Shorter in tests. */
  pingIntervalMs?: number | undefined
}>

/** Starts a database process and waits until it is ready. Kills a frozen process, as if it had crashed. */
export async function startChild(kind: ChildKind, options: ChildOptions): Promise<Run> {
  // The engine itself would report a read-only folder as in use, or exit without a message.
  const refusal = await refusalOf(kind.directory)
  if (refusal !== undefined) throw new EngineStartError('refused', refusal)
  const start = performance.now()
  const starting = await kind.spawn()
  const { child, quit } = starting
  const gone = new AbortController()
  const ended = endOf(starting)
  void ended.then(() => gone.abort())
  const stopWatching = killWhenFrozen(starting, options)
  void ended.then(stopWatching)
  const stop = async (): Promise<void> => {
    stopWatching()
    const kill = setTimeout(() => child.kill('SIGKILL'), kind.stopWithinMs)
    quit()
    await ended
    clearTimeout(kill)
  }
  try {
    const failed = ended.then(({ how }) => Promise.reject(new Error(how)))
    const logReady = await Promise.race([starting.untilReady(gone.signal), failed])
    const milliseconds = Math.round(performance.now() - start)
    logReady({ enginePid: child.pid ?? 0, milliseconds })
    return { ended, stop }
  } catch (error) {
    const hasEnded = gone.signal.aborted
    await stop()
    if (error instanceof EngineStartError) throw error
    if (!hasEnded) throw new EngineStartError('other', messageOf(error))
    const { how, wasKilled } = await ended
    throw (
      (await starting.failure?.({ how, wasKilled })) ??
      new EngineStartError('other', `its process ended (${how})`, wasKilled)
    )
  }
}

function endOf({ child, lastWords = () => '' }: StartingChild): Promise<Ended> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ how: message, wasKilled: false }))
    child.once('exit', (code, signal) => {
      const how = signal ? `killed by ${signal}` : `exit code ${code}`
      const wasKilled = signal === 'SIGKILL'
      resolve({ how: [how, lastWords()].filter(Boolean).join(': '), wasKilled })
    })
  })
}

/** Kills the process if it freezes while starting, recovering or running. Returns a function that stops watching. */
function killWhenFrozen(
  { child, ping }: StartingChild,
  { log, pingIntervalMs: everyMs = pingIntervalMs }: ChildOptions,
): () => void {
  const { pid } = child
  if (pid === undefined) return () => undefined
  const isFrozen = createFreezeWatch({ ping: ping, isBusy: createBusyCheck(pid) })
  const timer = setInterval(() => {
    if (!isFrozen()) return
    clearInterval(timer)
    log.error({ enginePid: pid }, 'The database engine is frozen. Killing and restarting it')
    child.kill('SIGKILL')
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
