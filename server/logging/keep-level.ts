import { isDeepStrictEqual } from 'node:util'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { startPolling } from '../../engine/database/start-polling.js'
import type { Signals } from '../signals/signals.js'
import { readChosenLevel, type ChosenLevel } from './chosen-level.js'
import type { LiveLevel } from './live-level.js'

/** The chosen log level, and how to update it. */
export type KeptLevel = Awaited<ReturnType<typeof keepLevel>>

type Options = Readonly<{
  db: Db
  log: Logger
  level: LiveLevel
  signals: Signals
  /** Whether only this process can use the database. */
  singleProcess: boolean
}>

/**
 * Applies the level that an admin chose for all instances. If this process's level is changed later (`SIGUSR2`), that
 * change lasts until the choice changes or expires.
 */
export async function keepLevel({ db, log, level, signals, singleProcess }: Options) {
  let chosen: ChosenLevel | undefined
  let readAt = 0
  let over: NodeJS.Timeout | undefined
  const follow = (found: ChosenLevel | undefined) => {
    const before = chosen
    chosen = found
    // An unchanged choice must not undo a local change.
    if (isDeepStrictEqual(before, found)) return
    if (found === undefined) level.set()
    else {
      const { by, request, until } = found
      level.set(found.level, { by, request, until: until?.toISOString() })
    }
  }
  /** Reads the chosen level now. Call this after choosing one. */
  const refresh = async () => {
    const startedAt = performance.now()
    const read = await readChosenLevel(db)
    // A slow read that began earlier must not overwrite a newer one.
    if (startedAt < readAt) return
    readAt = startedAt
    follow(read?.chosen)
    clearTimeout(over)
    // A timer ends the choice on time, even if the database is unreachable then.
    if (read !== undefined && read.leftMs !== Infinity)
      over = setTimeout(() => follow(undefined), read.leftMs).unref()
  }
  await refresh()
  const again = singleProcess
    ? undefined
    : startPolling(refresh, (err) => log.warn({ err }, 'The log level could not be read'))
  signals.follow('_settings', 'others', ({ id }) => {
    if (id === undefined || id === 'log-level') again?.poll()
  })
  return {
    chosen: () => chosen,
    refresh,
    stop: (): void => {
      clearTimeout(over)
      again?.stop()
    },
  }
}
