import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { databaseInUse } from './database-in-use.js'
import { EngineStartError } from './engine-start-error.js'
import { findObstacle } from './find-obstacle.js'
import { startChild, type ChildKind, type ChildOptions, type Run } from './start-child.js'

/** A supervised database process. */
export type Supervised = Readonly<{
  stop(): Promise<void>
  restarts(): number
}>

export type SuperviseOptions = ChildOptions &
  Readonly<{
    /** Called when the process has died unexpectedly, before each restart. */
    onDeath?: (() => void) | undefined
  }>

/** Maximum number of attempts of the first start. Small, so that failure is reported soon. */
const maxStartAttempts = 5
const firstBackoffMs = 100
/** Maximum pause between attempts to restart, in milliseconds. */
const maxBackoffMs = 15_000
/** In ms. A process that dies sooner is restarted only after a pause. */
const shortLifeMs = 1_000

/**
 * Runs the database's process and restarts it whenever it dies, with pauses that double after failures. Gives up only
 * at the first start, after five attempts. Logs the cause if it can be found, such as a full disk.
 */
export async function supervise(kind: ChildKind, options: SuperviseOptions): Promise<Supervised> {
  const { log, onDeath } = options
  const { retry = (start) => start() } = kind
  const start = () => retry(() => startChild(kind, options))
  const stopping = new AbortController()
  const { signal } = stopping
  let run = await startAtFirst(kind, start, log)
  let restarts = 0
  const watching = watch()

  async function watch(): Promise<void> {
    for (;;) {
      const startedAt = performance.now()
      const { how, wasKilled } = await run.ended
      if (signal.aborted) return
      // A process that was killed from outside has no obstacle to look for.
      const obstacle = wasKilled ? undefined : await findObstacle(kind.directory)
      const cause = obstacle && withoutStop(obstacle)
      log.error(
        { how, cause },
        `The database engine died${cause === undefined ? '' : `: ${cause}`}; starting it again`,
      )
      onDeath?.()
      if (performance.now() - startedAt < shortLifeMs) await pause(firstBackoffMs, signal)
      const next = await startAgain(kind, start, log, signal)
      if (next === undefined) return
      run = next
      restarts += 1
      if (signal.aborted) return run.stop()
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await run.stop()
    await watching
  }

  return { stop, restarts: () => restarts }
}

/**
 * Starts the process for the first time. If that fails, throws `DatabaseInUse` if another process uses the files,
 * otherwise an error with one line that says what to do.
 */
async function startAtFirst(kind: ChildKind, start: () => Promise<Run>, log: Logger): Promise<Run> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      const failure = asStartError(error)
      if (failure.reason === 'in-use') throw await databaseInUse(kind.directory, { cause: error })
      const message = await explain(failure, kind)
      if (failure.reason !== 'other' || attempt === maxStartAttempts)
        throw new Error(message, { cause: error })
      log.warn({ attempt, reason: failure.message }, 'The database engine did not start')
      await sleep(firstBackoffMs * 2 ** attempt)
    }
  }
}

/** Restarts the process until that succeeds. Returns undefined if `signal` is aborted first. */
async function startAgain(
  kind: ChildKind,
  start: () => Promise<Run>,
  log: Logger,
  signal: AbortSignal,
): Promise<Run | undefined> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (signal.aborted) break
      const message = await explain(asStartError(error), kind)
      const pauseMs = Math.min(firstBackoffMs * 2 ** attempt, maxBackoffMs)
      log.error({ attempt, nextInMs: pauseMs }, `${message} Trying again.`)
      await pause(pauseMs, signal)
    }
  }
  return undefined
}

function asStartError(error: unknown): EngineStartError {
  return error instanceof EngineStartError ? error : new EngineStartError('other', String(error))
}

/** Explains in sentences why the process did not start, and what to do. */
async function explain(
  { reason, message, wasKilled }: EngineStartError,
  { name, directory, advice }: ChildKind,
): Promise<string> {
  switch (reason) {
    case 'refused':
    case 'unsupported':
      return message
    case 'in-use':
      return (await databaseInUse(directory)).message
    case 'other': {
      const remedy = (await findObstacle(directory)) ?? (wasKilled ? needsMemory : advice)
      return `${name} in ${directory} does not start: ${withoutStop(message)}. ${remedy}`
    }
  }
}

const needsMemory = 'The system may be out of memory. Give it more.'

const withoutStop = (text: string): string => text.replace(/\.$/, '')

/** Returns early if `signal` is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
}
