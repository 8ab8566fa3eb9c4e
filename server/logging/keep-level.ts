import { isDeepStrictEqual } from 'node:util'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { startPolling } from '../../engine/database/start-polling.js'
import type { Signals } from '../signals/signals.js'
import { readChosenLevel, type ChosenLevel } from './chosen-level.js'
import type { LiveLevel } from './live-level.js'

/** How this process follows the level that an admin chose. */
export type KeptLevel = Awaited<ReturnType<typeof keepLevel>>

type Options = Readonly<{
  db: Db
  log: Logger
  level: LiveLevel
  signals: Signals
  /** Whether no other process can use this database. */
  alone: boolean
}>

/**
 * Follows the level that is chosen for all instances, from the start of this instance. A later local change (`SIGUSR2`)
 * stays until another level is chosen, or the chosen level ends.
 */
export async function keepLevel({ db, log, level, signals, alone }: Options) {
  let chosen: ChosenLevel | undefined
  let readAt = 0
  let over: NodeJS.Timeout | undefined
  const follow = (found: ChosenLevel | undefined) => {
    const before = chosen
    chosen = found
    // If the same choice is read again, keep a local change that was made since then.
    if (isDeepStrictEqual(before, found)) return
    if (found === undefined) level.set()
    else {
      const { by, request, until } = found
      level.set(found.level, { by, request, until: until?.toISOString() })
    }
  }
  /** Reads the chosen level now. Call it after a write. */
  const refresh = async () => {
    const startedAt = performance.now()
    const read = await readChosenLevel(db)
    // A slower, older read must not overwrite a newer one.
    if (startedAt < readAt) return
    readAt = startedAt
    follow(read?.chosen)
    clearTimeout(over)
    // The chosen level ends even if the database is unreachable then.
    if (read !== undefined && read.leftMs !== Infinity)
      over = setTimeout(() => follow(undefined), read.leftMs).unref()
  }
  await refresh()
  const again = alone
    ? undefined
    : startPolling(refresh, (err) => log.warn({ err }, 'The log level could not be read'))
  signals.follow('_settings', 'others', ({ id }) => {
    if (id === undefined || id === 'log-level') again?.poll()
  })
  return {
    /** Returns the choice that was read last. */
    chosen: () => chosen,
    refresh,
    stop: (): void => {
      clearTimeout(over)
      again?.stop()
    },
  }
}
