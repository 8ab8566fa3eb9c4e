import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EngineChild } from './engine-child.js'
import { EngineStartError, startEngineChild } from './engine-child.js'
import type { EngineSettings } from './engine-messages.js'

/** An engine that is kept running. */
export type SupervisedEngine = Readonly<{ stop(): Promise<void> }>

export type SuperviseOptions = Readonly<{
  settings: EngineSettings
  log: Logger
  onLost?: ((error: Error) => void) | undefined
}>

const maxStartAttempts = 5
const firstBackoffMs = 100
/** An engine that dies sooner than this after its start is restarted after a pause. */
const shortLifeMs = 1_000

/**
 * Starts the engine process, and starts it again on the same socket whenever it dies. A start
 * that fails is repeated after a pause that doubles; after five failures in a row it gives up.
 */
export async function superviseEngine(options: SuperviseOptions): Promise<SupervisedEngine> {
  const { settings, log } = options
  const stopping = new AbortController()
  let child = await startPatiently(settings, log, stopping.signal)
  const watching = watch()

  async function watch(): Promise<void> {
    for (;;) {
      const startedAt = Date.now()
      const how = await child.ended
      if (stopping.signal.aborted) return
      log.error({ how }, 'The database engine died; starting it again')
      try {
        if (Date.now() - startedAt < shortLifeMs) await pause(firstBackoffMs, stopping.signal)
        child = await startPatiently(settings, log, stopping.signal)
      } catch (error) {
        if (stopping.signal.aborted) return
        log.fatal({ err: error }, 'The database engine does not start any more')
        options.onLost?.(error as Error)
        return
      }
      if (stopping.signal.aborted) return child.stop()
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await child.stop()
    await watching
  }

  return { stop }
}

async function startPatiently(
  settings: EngineSettings,
  log: Logger,
  signal: AbortSignal,
): Promise<EngineChild> {
  for (let attempt = 1; ; attempt++) {
    try {
      const start = performance.now()
      const child = await startEngineChild(settings, () => {
        log.warn('The database was not stopped cleanly; checking its totals')
      })
      const milliseconds = Math.round(performance.now() - start)
      log.info({ enginePid: child.pid, milliseconds }, 'The database engine is ready')
      if (child.recovery) log.info(child.recovery, 'The totals of the database are exact again')
      return child
    } catch (error) {
      const failure = asStartError(error)
      if (failure.reason !== 'other' || attempt === maxStartAttempts || signal.aborted) {
        throw explain(failure, settings)
      }
      log.warn({ attempt, reason: failure.message }, 'The database engine did not start')
      await pause(firstBackoffMs * 2 ** attempt, signal)
    }
  }
}

function explain({ reason, message }: EngineStartError, { directory }: EngineSettings): Error {
  switch (reason) {
    case 'unsupported':
      return new Error(message)
    case 'in-use':
      return new Error(
        `The database in ${directory} is in use by another process. ` +
          'Stop that process, set DATA_DIR to another folder, or set MONGODB_URI.',
      )
    case 'other':
      return new Error(`The embedded database in ${directory} does not start: ${message}`)
  }
}

function asStartError(error: unknown): EngineStartError {
  return error instanceof EngineStartError ? error : new EngineStartError('other', String(error))
}

/** Waits, unless the engine is to stop meanwhile. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
}
