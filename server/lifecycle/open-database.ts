import type { Config } from '../settings/config.js'
import { hasSnapshots } from '../../engine/database/durability.js'
import { ownDatabase } from '../../engine/database/own-database.js'
import { checkServer } from '../database/check-server.js'
import { connectDatabase, withDatabase } from '../database/connect.js'
import { refuseHalfCopied } from '../database/half-copied.js'
import { refuseHalfImported } from '../database/half-imported.js'
import { startDatabaseHost } from '../database/host.js'
import { hostOptions } from '../database/host-options.js'
import { watchRoom } from '../database/room-watch.js'
import type { ServiceOptions } from './service-options.js'

/**
 * Starts or reaches the database that the configuration names, checks what it can do, and watches the room where it is
 * here. What was opened is added to `closing`. Throws in words where it cannot be used.
 */
export async function openDatabase(
  config: Config,
  { log, closing, report }: Pick<ServiceOptions, 'log' | 'closing' | 'report'>,
) {
  const { dataDir, settings } = config
  const onDeath = (): void => {
    const says = 'The database engine died; the log says how'
    report({ error: new Error(says), in: 'database engine', says })
  }
  const host = await startDatabaseHost({ ...hostOptions(config), log, onDeath })
  closing.add('The database', host.stop)
  const client = await connectDatabase(host.uri, { appName: 'quire' })
  closing.add('The connection to the database', () => client.close())
  const { embedded, alone } = host
  if (!alone) await checkServer(client.db(), log)
  const db = await ownDatabase(client)
  await refuseHalfCopied(db)
  await refuseHalfImported(db)
  if (settings['database.snapshotReads'] && !(await hasSnapshots(db)))
    throw new Error(
      'database.snapshotReads needs a replica set of MongoDB 5.0 or later, and the database is none. Take the setting away, or see docs/database.md',
    )
  const minFreeBytes = settings['database.minFreeBytes']
  // Of another database's disk nobody knows here.
  const room = alone ? await watchRoom({ directory: dataDir, minFreeBytes, log }) : undefined
  if (room !== undefined) closing.add('The watch for room', room.stop)
  return {
    db,
    uri: withDatabase(host.uri),
    embedded,
    /** Whether no other process can run over this database. */
    alone,
    /** How often the database's process was started again. */
    restarts: host.restarts,
    /** What writes are refused with at present, because there is no room for them. */
    refusal: room?.refusal,
  }
}
