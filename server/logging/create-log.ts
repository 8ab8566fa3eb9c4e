import { pino, type Logger } from 'pino'
import { isRetryable, isUnserved } from '../../engine/errors/database-errors.js'
import type { LogLevel, Settings } from '../settings/settings.js'
import { readableLines } from './readable-lines.js'

/**
 * Creates the log of the process on standard output. It omits lines that are less severe than `level`. JSON lines are
 * written in batches a few times a second, because one write per line would cost more than most requests. pino writes
 * the remaining lines when the process ends.
 */
export function createLog(level: LogLevel, format: Settings['log.format']): Logger {
  return pino(
    { level, serializers: { err: briefly } },
    format === 'text'
      ? readableLines(process.stdout)
      : pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 }),
  )
}

/**
 * Omits the stack if the database is unreachable or elects a primary. Every write in progress logs such an error, and
 * the driver's stack adds nothing.
 */
function briefly(error: Error): object {
  if (!isRetryable(error) && !isUnserved(error)) return pino.stdSerializers.err(error)
  return { type: error.name, message: error.message }
}
