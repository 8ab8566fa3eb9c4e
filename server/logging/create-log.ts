import { pino, type Logger } from 'pino'
import { isRetryable, isUnserved } from '../../engine/errors/database-errors.js'
import type { LogLevel, Settings } from '../settings/settings.js'
import { readableLines } from './readable-lines.js'

/**
 * Creates the log on standard output. Writes JSON lines in batches a few times a second, because a write per line would
 * cost more than most requests. pino writes the rest when the process ends.
 */
export function createLog(level: LogLevel, format: Settings['log.format']): Logger {
  return pino(
    { level, serializers: { err: briefly } },
    format === 'text'
      ? readableLines(process.stdout)
      : pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 }),
  )
}

/** Omits the stack while the database is unreachable or elects a primary, because every write in progress logs it. */
function briefly(error: Error): object {
  if (!isRetryable(error) && !isUnserved(error)) return pino.stdSerializers.err(error)
  return { type: error.name, message: error.message }
}
