import type { Config } from '../settings/config.js'
import { hasSnapshots } from '../../engine/database/durability.js'
import { ownDatabase } from '../../engine/database/own-database.js'
import { checkServer } from '../database/check-server.js'
import { connectDatabase, withDatabase } from '../database/connect.js'
import { refuseHalfCopied } from '../database/half-copied.js'
import { refuseHalfImported } from '../database/half-imported.js'
import { startDatabaseHost } from '../database/host.js'
import { hostOptions } from '../database/host-options.js'
import { watchDiskSpace } from '../database/disk-space-watch.js'
import type { ServiceOptions } from './service-options.js'

/**
 * Starts or connects to the configured database, and checks whether Quire can use it. Watches the disk space of a local
 * one. Throws an error that explains why the database cannot be used.
 */
export async function openDatabase(
  config: Config,
  { log, closing, report }: Pick<ServiceOptions, 'log' | 'closing' | 'report'>,
) {
  const { dataDir, settings } = config
  const onDeath = (): void => {
    const message = 'The database engine died. See the log for the reason'
    report({ error: new Error(message), in: 'database engine', message })
  }
  const host = await startDatabaseHost({ ...hostOptions(config), log, onDeath })
  closing.add('The database', host.stop)
  const client = await connectDatabase(host.uri, { appName: 'quire' })
  closing.add('The connection to the database', () => client.close())
  const { embedded, singleProcess } = host
  if (!singleProcess) await checkServer(client.db(), log)
  const db = await ownDatabase(client)
  await refuseHalfCopied(db)
  await refuseHalfImported(db)
  if (settings['database.snapshotReads'] && !(await hasSnapshots(db)))
    throw new Error(
      'database.snapshotReads needs a replica set of MongoDB 5.0 or later, but the database is not one. Remove the setting, or see docs/database.md',
    )
  const minFreeBytes = settings['database.minFreeBytes']
  // The free disk space of a remote database is unknown.
  const diskSpace = singleProcess
    ? await watchDiskSpace({ directory: dataDir, minFreeBytes, log })
    : undefined
  if (diskSpace !== undefined) closing.add('The check for free disk space', diskSpace.stop)
  return {
    db,
    uri: withDatabase(host.uri),
    embedded,
    /** Whether Quire itself started this database. If so, no other service uses it. */
    singleProcess,
    /** How many times the database's process was restarted. */
    restarts: host.restarts,
    /** Returns the error with which writes are rejected while the disk is full; undefined if there is enough space. */
    refusal: diskSpace?.refusal,
  }
}
