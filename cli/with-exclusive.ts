import type { Db } from 'mongodb'
import { prepareOwnCollections } from '../engine/database/prepare-collections.js'
import { checkFormat } from '../server/content-types/check-format.js'
import { refuseHalfCopied } from '../server/database/half-copied.js'
import { takeExclusive } from '../server/repair/exclusive.js'
import { startHeartbeat } from '../server/repair/heartbeat.js'
import type { Config } from '../server/settings/config.js'
import { withDatabase, type OpenDatabase } from './with-database.js'

/**
 * Runs a task with exclusive use of the database. A service that starts meanwhile fails.
 * @param name name of the command in the log of the database server
 * @param refuse called before anything is written; throws if this database must not be used
 * @throws Error that names the process that uses the database
 */
export function withExclusive<T>(
  name: string,
  config: Config,
  task: (database: OpenDatabase) => Promise<T>,
  refuse?: (db: Db) => Promise<void>,
): Promise<T> {
  const runAlone = async (database: OpenDatabase): Promise<T> => {
    const { db, singleProcess, log } = database
    await refuseHalfCopied(db)
    await refuse?.(db)
    // No other process uses a database engine that this command has started.
    const exclusive = singleProcess
      ? undefined
      : await takeExclusive(db, { log, regained: () => undefined })
    try {
      const heartbeat = await startHeartbeat(db, {
        log,
        singleProcess,
        exclusive: exclusive !== undefined,
        // Running an interrupted command again completes its work, so no repair is needed.
        notes: true,
        schemaVersion: () => 0,
      })
      try {
        await exclusive?.begin(heartbeat.findOthers)
        await checkFormat(db)
        await prepareOwnCollections(db)
        return await task(database)
      } finally {
        await heartbeat.leave()
      }
    } finally {
      await exclusive?.stop()
    }
  }
  return withDatabase(name, runAlone, config)
}
