import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { EngineStartError } from './engine-start-error.js'
import { refusalOf } from './find-obstacle.js'
import { pingIntervalMs, busyTeller, createFreezeWatch } from './freeze-watch.js'

/** One of the two kinds of database process, and how its parent handles it. */
export type ChildKind = Readonly<{
  /** Name of the database at the beginning of a sentence. */
  name: string
  /** The folder of its files. */
  directory: string
  /** Retries a start if that may help; default: one attempt. */
  retry?: (start: () => Promise<Run>) => Promise<Run>
  /** Spawns the process. Every run listens at the same address. */
  spawn: () => StartingChild | Promise<StartingChild>
  /** How long a stop may take before the process is killed, in milliseconds. */
  stopWithinMs: number
  /** Advice if the process does not start and no obstacle is found, as a sentence. */
  advice: string
}>

/** A database process that was just spawned. */
export type StartingChild = Readonly<{
  child: ChildProcess
  /**
   * Resolves when the process can be used, with a function that logs this. Throws an `EngineStartError` for known
   * causes.
   * @param ended aborted when the process has ended
   */
  untilReady: (ended: AbortSignal) => Promise<(started: StartedChild) => void>
  /** Requests a sign of life. `answer` is called when the process responds. */
  ping: (answer: () => void) => void
  /** Requests the process to end. */
  quit: () => void
  /** Returns the last output of the process; default: none. */
  lastWords?: () => string
  /** Explains why a start failed, after the process has ended. Default: the error only says that the process ended. */
  failure?: (ended: Ended) => Promise<EngineStartError>
}>

/** Fields of the log line. */
export type StartedChild = Readonly<{ enginePid: number; milliseconds: number }>

/** How a process ended, as text, and whether SIGKILL ended it. */
export type Ended = Readonly<{ how: string; wasKilled: boolean }>

/** One run of the process. */
export type Run = Readonly<{
  /** Settles when the process has ended. */
  ended: Promise<Ended>
  /** Requests the process to end, and kills it if it does not. */
  stop: () => Promise<void>
}>

export type ChildOptions = Readonly<{
  log: Logger
  /** Interval in ms of the checks whether the process lives; for tests. */
  pingIntervalMs?: number | undefined
}>

/** Starts a process and waits until it is ready. Kills a frozen process, which then counts as one that died. */
export async function startChild(kind: ChildKind, options: ChildOptions): Promise<Run> {
  // Check first whether the folder is writable. If not, the engine would report that it is in use, or end without a
  // message.
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

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

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

/**
 * Watches the process as long as it lives, also while it starts and recovers. Returns a function that stops watching.
 */
function killWhenFrozen(
  { child, ping }: StartingChild,
  { log, pingIntervalMs: everyMs = pingIntervalMs }: ChildOptions,
): () => void {
  const { pid } = child
  if (pid === undefined) return () => undefined
  const isFrozen = createFreezeWatch({ ping: ping, isBusy: busyTeller(pid) })
  const timer = setInterval(() => {
    if (!isFrozen()) return
    clearInterval(timer)
    log.error({ enginePid: pid }, 'The database engine is frozen. Killing and restarting it')
    child.kill('SIGKILL')
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
