import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EngineChild } from './engine-child.js'
import { EngineStartError, startEngineChild } from './engine-child.js'
import type { EngineSettings } from './engine-messages.js'
import { findObstacle, refusalOf } from './find-obstacle.js'
import { restore } from './find-damage.js'

/** An engine that is kept running. */
export type SupervisedEngine = Readonly<{ stop(): Promise<void> }>

export type SuperviseOptions = Readonly<{
  settings: EngineSettings
  log: Logger
  /** How often the engine is asked whether it lives; for tests. */
  askEveryMs?: number | undefined
}>

/** Of the first start; who starts a service wants to know soon that it cannot run. */
const maxStartAttempts = 5
const firstBackoffMs = 100
/** An engine that once ran is started again as long as the service lives, at least so often. */
const maxBackoffMs = 15_000
/** An engine that dies sooner than this after its start is restarted after a pause. */
const shortLifeMs = 1_000

/**
 * Starts the engine process, and starts it again on the same socket whenever it dies. A start that fails is
 * repeated after a pause that doubles, the first one up to five times. What keeps it from running, such as a disk
 * without room, is looked for and told, and when it is gone the engine is back.
 */
export async function superviseEngine(options: SuperviseOptions): Promise<SupervisedEngine> {
  const { settings, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let child = await startAtFirst(options)
  const watching = watch()

  async function watch(): Promise<void> {
    for (;;) {
      const startedAt = performance.now()
      const how = await child.ended
      if (signal.aborted) return
      const cause = await causeOf(how, settings)
      log.error(
        { how, ...(cause === undefined ? {} : { cause }) },
        `The database engine died${cause === undefined ? '' : `: ${cause}`}; starting it again`,
      )
      if (performance.now() - startedAt < shortLifeMs) await pause(firstBackoffMs, signal)
      const next = await startAgain(options, signal)
      if (next === undefined) return
      child = next
      if (signal.aborted) return child.stop()
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await child.stop()
    await watching
  }

  return { stop }
}

/** Throws one line that says what is wrong and what to do. */
async function startAtFirst(options: SuperviseOptions): Promise<EngineChild> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options)
    } catch (error) {
      const failure = asStartError(error)
      const message = await explain(failure, options.settings)
      if (failure.reason !== 'other' || attempt === maxStartAttempts)
        throw new Error(message, { cause: error })
      options.log.warn({ attempt, reason: failure.message }, 'The database engine did not start')
      await sleep(firstBackoffMs * 2 ** attempt)
    }
  }
}

/** Undefined where the engine is to stop meanwhile. */
async function startAgain(
  options: SuperviseOptions,
  signal: AbortSignal,
): Promise<EngineChild | undefined> {
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) return undefined
    try {
      return await startOnce(options)
    } catch (error) {
      if (signal.aborted) return undefined
      const message = await explain(asStartError(error), options.settings)
      const pauseMs = Math.min(firstBackoffMs * 2 ** attempt, maxBackoffMs)
      options.log.error({ attempt, nextInMs: pauseMs }, `${message} It is tried again.`)
      await pause(pauseMs, signal)
    }
  }
}

async function startOnce({ settings, log, askEveryMs }: SuperviseOptions): Promise<EngineChild> {
  // The engine would say that somebody else uses the folder, or end without a word.
  const refusal = await refusalOf(settings.directory)
  if (refusal !== undefined) throw new EngineStartError('refused', refusal)
  const start = performance.now()
  const child = await startEngineChild(settings, {
    askEveryMs,
    onRecovery: () => log.warn('The database was not stopped cleanly; checking its totals'),
    onFrozen: (enginePid) =>
      log.error({ enginePid }, 'The database engine is frozen; it is killed and started again'),
  })
  const milliseconds = Math.round(performance.now() - start)
  log.info({ enginePid: child.pid, milliseconds }, 'The database engine is ready')
  if (child.recovery) log.info(child.recovery, 'The totals of the database are exact again')
  return child
}

/** A sentence that ends with a full stop. */
async function explain(
  { reason, message }: EngineStartError,
  { directory }: EngineSettings,
): Promise<string> {
  switch (reason) {
    case 'refused':
    case 'unsupported':
      return message
    case 'in-use':
      return (
        `The database in ${directory} is in use by another process. ` +
        'Stop that process, set DATA_DIR to another folder, or set MONGODB_URI.'
      )
    case 'other': {
      const guess = message.includes('SIGKILL')
        ? wasKilled
        : `Its files are probably damaged. ${restore}`
      const advice = (await findObstacle(directory)) ?? guess
      return `The embedded database in ${directory} does not start: ${withoutStop(message)}. ${advice}`
    }
  }
}

const wasKilled = 'A system whose memory runs out kills like that; give it more.'

const withoutStop = (text: string): string => text.replace(/\.$/, '')

/** Why the engine ended, where that can be found; undefined where it was killed from outside. */
async function causeOf(how: string, { directory }: EngineSettings): Promise<string | undefined> {
  if (how.startsWith('killed by SIGKILL')) return undefined
  return withoutStop((await findObstacle(directory)) ?? '') || undefined
}

function asStartError(error: unknown): EngineStartError {
  return error instanceof EngineStartError ? error : new EngineStartError('other', String(error))
}

/** Waits, unless the engine is to stop meanwhile. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
}
