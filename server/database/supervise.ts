import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { databaseInUse } from './database-in-use.js'
import { EngineStartError } from './engine-start-error.js'

/** A database's process that is kept running. */
export type Supervised = Readonly<{
  stop(): Promise<void>
  /** How often it was started again. */
  restarts(): number
}>

/** One run of it. */
export type Run = Readonly<{
  /** Settles when the process has ended, with a text that says how. */
  ended: Promise<string>
  /** Asks it to end, and kills it if it does not. */
  stop(): Promise<void>
}>

/** How to start the process, and what to say where that fails. */
export type Supervision = Readonly<{
  /** Where the clients find it, every run listens in the same place. Throws an `EngineStartError` for what is known. */
  start: () => Promise<Run>
  /** That of its files. */
  directory: string
  /** Why a start failed and what to do, as sentences that end with a full stop. */
  explain: (failure: EngineStartError) => Promise<string>
  /** Why a process ended, without a full stop; undefined where that is not known. */
  causeOf: (how: string) => Promise<string | undefined>
  log: Logger
  /** Called whenever it died by itself. */
  onDeath?: (() => void) | undefined
}>

/** Of the first start; who starts a service wants to know soon that it cannot run. */
const maxStartAttempts = 5
const firstBackoffMs = 100
/** What once ran is started again as long as the service lives, at least so often. */
const maxBackoffMs = 15_000
/** What dies sooner than this after its start is restarted after a pause. */
const shortLifeMs = 1_000

/**
 * Starts the database's process, and starts it again whenever it dies. A start that fails is repeated after a pause
 * that doubles, the first one up to five times. What keeps it from running, such as a disk without room, is looked
 * for and told, and when it is gone the database is back.
 */
export async function supervise(supervision: Supervision): Promise<Supervised> {
  const { causeOf, log, onDeath } = supervision
  const stopping = new AbortController()
  const { signal } = stopping
  let run = await startAtFirst(supervision)
  let restarts = 0
  const watching = watch()

  async function watch(): Promise<void> {
    for (;;) {
      const startedAt = performance.now()
      const how = await run.ended
      if (signal.aborted) return
      const cause = await causeOf(how)
      log.error(
        { how, ...(cause === undefined ? {} : { cause }) },
        `The database engine died${cause === undefined ? '' : `: ${cause}`}; starting it again`,
      )
      onDeath?.()
      if (performance.now() - startedAt < shortLifeMs) await pause(firstBackoffMs, signal)
      const next = await startAgain(supervision, signal)
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

/** Throws one line that says what is wrong and what to do, a `DatabaseInUse` where another process has its files. */
async function startAtFirst({ start, directory, explain, log }: Supervision): Promise<Run> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      const failure = asStartError(error)
      if (failure.reason === 'in-use') throw await databaseInUse(directory, { cause: error })
      const message = await explain(failure)
      if (failure.reason !== 'other' || attempt === maxStartAttempts)
        throw new Error(message, { cause: error })
      log.warn({ attempt, reason: failure.message }, 'The database engine did not start')
      await sleep(firstBackoffMs * 2 ** attempt)
    }
  }
}

/** Undefined where the database is to stop meanwhile. */
async function startAgain(
  { start, explain, log }: Supervision,
  signal: AbortSignal,
): Promise<Run | undefined> {
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) return undefined
    try {
      return await start()
    } catch (error) {
      if (signal.aborted) return undefined
      const message = await explain(asStartError(error))
      const pauseMs = Math.min(firstBackoffMs * 2 ** attempt, maxBackoffMs)
      log.error({ attempt, nextInMs: pauseMs }, `${message} It is tried again.`)
      await pause(pauseMs, signal)
    }
  }
}

function asStartError(error: unknown): EngineStartError {
  return error instanceof EngineStartError ? error : new EngineStartError('other', String(error))
}

/** Waits, unless the database is to stop meanwhile. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
}
