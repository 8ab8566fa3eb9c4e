import { pino, type Logger } from 'pino'

/**
 * The log of the process: JSON lines on standard output, from `level` up. Lines are written together a
 * few times a second, because a write for each would cost more than most requests; pino writes what is
 * left when the process ends.
 */
export function createLog(level: string): Logger {
  return pino({ level }, pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 }))
}
