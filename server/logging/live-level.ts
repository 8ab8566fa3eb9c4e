import type { Logger } from 'pino'
import type { LogLevel } from '../settings/settings.js'

/** Why the level is another: members of the line that says so. */
type Why = Readonly<Record<string, string | undefined>>

/** The level of a log that is written to, to be changed while the process runs. */
export type LiveLevel = ReturnType<typeof createLiveLevel>

export function createLiveLevel(log: Logger) {
  const configured = log.level as LogLevel
  const current = (): LogLevel => log.level as LogLevel
  /** Changes it; undefined = as configured. The log tells, unless neither level shows `info`. */
  const set = (level: LogLevel = configured, why: Why = {}) => {
    const from = current()
    if (level === from) return
    const line = { event: 'log-level', from, to: level, ...why }
    const tell = () => log.info(line, `The log level is ${level}, and was ${from}`)
    // By the level of the two that shows more.
    const showsMore = severityOf(log, level) < severityOf(log, from)
    if (!showsMore) tell()
    log.level = level
    if (showsMore) tell()
  }
  return {
    /** With which the process began. */
    configured,
    current,
    set,
    /** To `debug`, or from there to the configured one (`info`, where that is `debug`). */
    toggle: (why: Why): void => {
      const back = configured === 'debug' ? 'info' : configured
      set(log.level === 'debug' ? back : 'debug', why)
    },
  }
}

/** Of the least severe line that a level shows; `silent` shows none. */
const severityOf = (log: Logger, level: LogLevel): number => log.levels.values[level] ?? Infinity
