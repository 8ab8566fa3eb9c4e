import { isDeepStrictEqual } from 'node:util'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { lookAgain } from '../../engine/database/look-again.js'
import type { Signals } from '../signals/signals.js'
import { readChosenLevel, type ChosenLevel } from './chosen-level.js'
import type { LiveLevel } from './live-level.js'

/** The level that an admin chose, as this process follows it. */
export type KeptLevel = Awaited<ReturnType<typeof keepLevel>>

type Options = Readonly<{
  db: Db
  log: Logger
  level: LiveLevel
  signals: Signals
  /** Whether no other process can run over this database. */
  alone: boolean
}>

/**
 * Follows the level that is chosen for all instances, from the start of this one. What was changed here since
 * (`SIGUSR2`) stays until another is chosen, or the chosen one is over.
 */
export async function keepLevel({ db, log, level, signals, alone }: Options) {
  let chosen: ChosenLevel | undefined
  let readAt = 0
  let over: NodeJS.Timeout | undefined
  const follow = (found: ChosenLevel | undefined) => {
    const before = chosen
    chosen = found
    // What is chosen once more is not chosen anew: what was changed here meanwhile stays.
    if (isDeepStrictEqual(before, found)) return
    if (found === undefined) level.set()
    else {
      const { by, request, until } = found
      level.set(found.level, { by, request, until: until?.toISOString() })
    }
  }
  /** Reads it now; to be called after it was written. */
  const refresh = async () => {
    const startedAt = performance.now()
    const read = await readChosenLevel(db)
    // A slower, older read does not overwrite a newer one.
    if (startedAt < readAt) return
    readAt = startedAt
    follow(read?.chosen)
    clearTimeout(over)
    // It is over whether or not the database can be asked then.
    if (read !== undefined && read.leftMs !== Infinity)
      over = setTimeout(() => follow(undefined), read.leftMs).unref()
  }
  await refresh()
  const again = alone
    ? undefined
    : lookAgain(refresh, (err) => log.warn({ err }, 'The log level could not be read'))
  signals.follow('_settings', 'others', ({ id }) => {
    if (id === undefined || id === 'log-level') again?.look()
  })
  return {
    /** As it was read last. */
    chosen: () => chosen,
    refresh,
    stop: (): void => {
      clearTimeout(over)
      again?.stop()
    },
  }
}
