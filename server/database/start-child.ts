import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { EngineStartError } from './engine-start-error.js'
import { refusalOf } from './find-obstacle.js'
import { askEveryMs, busyTeller, createFreezeWatch } from './freeze-watch.js'

/** One of the two kinds of process that a database is run by, and how its parent deals with it. */
export type ChildKind = Readonly<{
  /** At the beginning of a sentence. */
  name: string
  /** That of its files. */
  directory: string
  /** Repeats a start where that may help; default: it is tried once. */
  retry?: (start: () => Promise<Run>) => Promise<Run>
  /** Where clients find it, every run listens in the same place. */
  spawn: () => StartingChild | Promise<StartingChild>
  /** How long a stop may take before the process is killed, in milliseconds. */
  stopWithinMs: number
  /** What to do where it does not start and no obstacle is found: a sentence. */
  advice: string
}>

/** A process that was just spawned. */
export type StartingChild = Readonly<{
  child: ChildProcess
  /**
   * Resolves when it can be used, with what logs that. Throws an `EngineStartError` for what is known.
   * @param ended aborted when the process has ended
   */
  untilReady: (ended: AbortSignal) => Promise<(started: StartedChild) => void>
  /** Asks for a sign of life; `answer` is called when it comes. */
  ping: (answer: () => void) => void
  /** Asks it to end. */
  quit: () => void
  /** What it said on its way down; default: nothing. */
  lastWords?: () => string
  /** Why a start failed whose process has ended; default: that it has. */
  failure?: (ended: Ended) => Promise<EngineStartError>
}>

/** As the log shows it. */
export type StartedChild = Readonly<{ enginePid: number; milliseconds: number }>

/** How a process ended, in words, and whether by SIGKILL. */
export type Ended = Readonly<{ how: string; wasKilled: boolean }>

/** One run of it. */
export type Run = Readonly<{
  /** Settles when the process has ended. */
  ended: Promise<Ended>
  /** Asks it to end, and kills it if it does not. */
  stop: () => Promise<void>
}>

export type ChildOptions = Readonly<{
  log: Logger
  /** How often it is asked whether it lives; for tests. */
  askEveryMs?: number | undefined
}>

/** Starts a process and waits until it is ready. One that is frozen is killed, and counts as one that died. */
export async function startChild(kind: ChildKind, options: ChildOptions): Promise<Run> {
  // The engine would say that somebody else uses the folder, or end without a word.
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

/** As long as it lives, also while it starts and recovers; the answer ends that. */
function killWhenFrozen(
  { child, ping }: StartingChild,
  { log, askEveryMs: everyMs = askEveryMs }: ChildOptions,
): () => void {
  const { pid } = child
  if (pid === undefined) return () => undefined
  const isFrozen = createFreezeWatch({ ask: ping, isBusy: busyTeller(pid) })
  const timer = setInterval(() => {
    if (!isFrozen()) return
    clearInterval(timer)
    log.error({ enginePid: pid }, 'The database engine is frozen; it is killed and started again')
    child.kill('SIGKILL')
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
