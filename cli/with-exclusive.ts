import type { Db } from 'mongodb'
import { prepareOwnCollections } from '../engine/database/prepare-collections.js'
import { checkFormat } from '../server/content-types/check-format.js'
import { refuseHalfCopied } from '../server/database/half-copied.js'
import { takeExclusive } from '../server/repair/exclusive.js'
import { openPresence } from '../server/repair/presence.js'
import type { Config } from '../server/settings/config.js'
import { withDatabase, type OpenDatabase } from './with-database.js'

/**
 * Runs a task over the database that the service would use, which nobody else uses meanwhile: a service that runs is
 * in the way, and one that starts is refused.
 * @param name of the command, as the database's own log shows it
 * @param refuse asked before anything is written; throws where the database is not to be used
 * @throws Error that says who is there
 */
export function withExclusive<T>(
  name: string,
  config: Config,
  task: (database: OpenDatabase) => Promise<T>,
  refuse?: (db: Db) => Promise<void>,
): Promise<T> {
  const runAlone = async (database: OpenDatabase): Promise<T> => {
    const { db, alone, log } = database
    await refuseHalfCopied(db)
    await refuse?.(db)
    // An engine of one's own is one's own already.
    const exclusive = alone
      ? undefined
      : await takeExclusive(db, { log, regained: () => undefined })
    try {
      const presence = await openPresence(db, {
        log,
        alone,
        exclusive: exclusive !== undefined,
        // What it leaves half done the next try does, and no repair.
        notes: true,
        schemaVersion: () => 0,
      })
      try {
        await exclusive?.begin(presence.findOthers)
        await checkFormat(db)
        await prepareOwnCollections(db)
        return await task(database)
      } finally {
        await presence.leave()
      }
    } finally {
      await exclusive?.stop()
    }
  }
  return withDatabase(name, runAlone, config)
}
