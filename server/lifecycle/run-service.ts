import type { Logger } from 'pino'
import { DatabaseInUse } from '../database/database-in-use.js'
import { createLog } from '../logging/create-log.js'
import { createLiveLevel } from '../logging/live-level.js'
import { loadConfig } from '../settings/config.js'
import { openErrorReports, type ErrorReports } from '../reporting/open-error-reports.js'
import { startQuire } from './start.js'
import { stopOnSignals } from './stop-on-signals.js'

/** Runs the service, and stops it on a signal. The exit code is 0 after a signal, and 1 if the service cannot run. */
async function main(): Promise<void> {
  const config = loadConfig()
  const { settings, production } = config
  const log = createLog(settings['log.level'], settings['log.format'])
  const level = createLiveLevel(log)
  // Listen to SIGUSR2 before anything else, because the signal ends a process that does not listen.
  process.on('SIGUSR2', () => level.toggle({ by: 'SIGUSR2' }))
  const reports = openErrorReports({ settings, production, log })
  endOnUncaught(log, reports)
  const stopping = stopOnSignals()
  const quire = await startQuire(config, { log, level, reports, stopping }).catch(
    async (error: unknown) => {
      // `startQuire` has already closed everything that it opened.
      if (stopping.aborted) return undefined
      reports.report({ error, in: 'start', isFatal: true, message: 'The service could not start' })
      await reports.flush()
      throw error
    },
  )
  if (quire === undefined) process.exit(0)
  const { services, url, stop } = quire
  const end = async (): Promise<void> => {
    await stop()
    services.log.info('Quire has stopped')
    process.exit(0)
  }
  stopping.addEventListener('abort', () => void end())
  if (stopping.aborted) await end()
  services.log.info({ url }, `Quire is ready at ${url}`)
}

/**
 * Ends the process after an uncaught error, as Node does. Logs and reports the error first, for at most two seconds.
 */
function endOnUncaught(log: Logger, { report, flush }: ErrorReports): void {
  let isEnding = false
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'The process ends because of an unhandled error')
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${text}\n`)
    if (isEnding) return
    isEnding = true
    report({ error, in: 'process', isFatal: true })
    void flush().finally(() => process.exit(1))
  })
}

/**
 * Returns only the message of an error that admins can solve (configuration, definitions, database). For a bug, returns
 * the stack.
 */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof DatabaseInUse)
    return `${error.message} Or start with another folder (DATA_DIR), or with your own MongoDB (MONGODB_URI).`
  return defects.some((kind) => error instanceof kind)
    ? (error.stack ?? error.message)
    : error.message
}

const defects = [TypeError, RangeError, ReferenceError]

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
})
