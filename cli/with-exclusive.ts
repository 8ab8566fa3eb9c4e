import type { Db } from 'mongodb'
import { prepareOwnCollections } from '../engine/database/prepare-collections.js'
import { checkFormat } from '../server/content-types/check-format.js'
import { refuseHalfCopied } from '../server/database/half-copied.js'
import { takeExclusive } from '../server/repair/exclusive.js'
import type { Config } from '../server/settings/config.js'
import { withDatabase, withHeartbeat, type OpenDatabase } from './with-database.js'

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
      const options = { exclusive: exclusive !== undefined }
      return await withHeartbeat(database, options, async ({ findOthers }) => {
        await exclusive?.begin(findOthers)
        await checkFormat(db)
        await prepareOwnCollections(db)
        return task(database)
      })
    } finally {
      await exclusive?.stop()
    }
  }
  return withDatabase(name, runAlone, config)
}
