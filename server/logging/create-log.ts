import { pino, type Logger } from 'pino'
import { isPassing, isUnserved } from '../../engine/errors/database-errors.js'

/**
 * The log of the process: JSON lines on standard output, from `level` up. Lines are written together a
 * few times a second, because a write for each would cost more than most requests; pino writes what is
 * left when the process ends.
 */
export function createLog(level: string): Logger {
  return pino(
    { level, serializers: { err: briefly } },
    pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 }),
  )
}

/**
 * Leaves out the stack if the database is away or elects a primary: every write in progress logs one, and the driver's
 * stack adds nothing.
 */
function briefly(error: Error): object {
  if (!isPassing(error) && !isUnserved(error)) return pino.stdSerializers.err(error)
  return { type: error.name, message: error.message }
}
