import type { Logger } from 'pino'
import { databaseInUse } from '../database-in-use.js'
import { EngineStartError } from '../engine-start-error.js'
import { supervise, type Supervised } from '../supervise.js'
import type { EngineChild } from './engine-child.js'
import { startEngineChild } from './engine-child.js'
import type { EngineSettings } from './engine-messages.js'
import { findObstacle, refusalOf } from '../find-obstacle.js'
import { restore } from '../find-damage.js'

export type SuperviseOptions = Readonly<{
  settings: EngineSettings
  log: Logger
  /** How often the engine is asked whether it lives; for tests. */
  askEveryMs?: number | undefined
  /** Called whenever it died by itself. */
  onDeath?: (() => void) | undefined
}>

/** Starts the engine process, and starts it again on the same socket whenever it dies. */
export function superviseEngine(options: SuperviseOptions): Promise<Supervised> {
  return supervise({
    start: () => startOnce(options),
    directory: options.settings.directory,
    explain: (failure) => explain(failure, options.settings),
    causeOf: (how) => causeOf(how, options.settings),
    log: options.log,
    onDeath: options.onDeath,
  })
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
      return (await databaseInUse(directory)).message
    case 'other': {
      const guess = message.includes('SIGKILL')
        ? wasKilled
        : `Its files are probably damaged. ${restore}`
      const advice = (await findObstacle(directory)) ?? guess
      return `The embedded database in ${directory} does not start: ${withoutStop(message)}. ${advice}`
    }
  }
}

/** What to say where the system killed it. */
export const wasKilled = 'A system whose memory runs out kills like that; give it more.'

const withoutStop = (text: string): string => text.replace(/\.$/, '')

/** Why the engine ended, where that can be found; undefined where it was killed from outside. */
async function causeOf(how: string, { directory }: EngineSettings): Promise<string | undefined> {
  if (how.startsWith('killed by SIGKILL')) return undefined
  return withoutStop((await findObstacle(directory)) ?? '') || undefined
}
