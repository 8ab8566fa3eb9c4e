import type { Logger } from 'pino'
import type { LogLevel } from '../settings/settings.js'

/** Members of the log line that explain why the level changes. */
type Why = Readonly<Record<string, string | undefined>>

/** The level of a log, which can be changed while the process runs. */
export type LiveLevel = ReturnType<typeof createLiveLevel>

export function createLiveLevel(log: Logger) {
  const configured = log.level as LogLevel
  const current = (): LogLevel => log.level as LogLevel
  /**
   * Changes the level; by default, to the configured one. Logs the change, unless the log hides `info` both before and
   * after it.
   */
  const set = (level: LogLevel = configured, why: Why = {}) => {
    const from = current()
    if (level === from) return
    const line = { event: 'log-level', from, to: level, ...why }
    const logChange = () => log.info(line, `The log level changed from ${from} to ${level}`)
    // Log the change while the log has the more verbose of the two levels.
    const showsMore = severityOf(log, level) < severityOf(log, from)
    if (!showsMore) logChange()
    log.level = level
    if (showsMore) logChange()
  }
  return {
    configured,
    current,
    set,
    /**
     * Switches to `debug`. If the level is `debug` already, switches to the configured level, or to `info` if that is
     * `debug`.
     */
    toggle: (why: Why): void => {
      const back = configured === 'debug' ? 'info' : configured
      set(log.level === 'debug' ? back : 'debug', why)
    },
  }
}

/** Returns pino's number of the least severe level that the log shows at `level`; `Infinity` for `silent`. */
const severityOf = (log: Logger, level: LogLevel): number => log.levels.values[level] ?? Infinity
