import { refuseHalfImported } from '../server/database/half-imported.js'
import type { Db, MongoClient } from 'mongodb'
import { pino, type Logger } from 'pino'
import { versionsOf } from '../engine/database/collection-versions.js'
import { ownDatabase } from '../engine/database/own-database.js'
import { createRegistryFrom } from '../engine/schema/define/define-registry.js'
import type { Registry } from '../engine/schema/registry.js'
import { checkMarkedFormat } from '../server/content-types/check-format.js'
import { readDefinitions } from '../server/content-types/definition-store.js'
import { sourced } from '../server/content-types/merge-definitions.js'
import { unfinished } from '../server/content-types/check-changes.js'
import { connectDatabase } from '../server/database/connect.js'
import { startDatabaseHost } from '../server/database/host.js'
import { hostOptions } from '../server/database/host-options.js'
import { readableLines } from '../server/logging/readable-lines.js'
import { purgeEverything } from '../server/purging/open-purging.js'
import { createWaitingKeys } from '../server/purging/waiting-keys.js'
import {
  startHeartbeat,
  type Heartbeat,
  type HeartbeatOptions,
} from '../server/repair/heartbeat.js'
import { loadConfig, type Config } from '../server/settings/config.js'

/** The database that the service would use, opened for one command. */
export type OpenDatabase = Readonly<{
  config: Config
  db: Db
  log: Logger
  singleProcess: boolean
}>

/**
 * Opens the configured database, and closes it after `work`. Throws if a service uses the embedded engine or the
 * `mongod` of this project. An external MongoDB can be shared. `name` is the command's name in the log of the database.
 */
export async function withDatabase<T>(
  name: string,
  work: (database: OpenDatabase) => Promise<T>,
  config: Config = loadConfig(),
): Promise<T> {
  const log = createCommandLog()
  const host = await startDatabaseHost({ ...hostOptions(config), log })
  try {
    const client = await connectDatabase(host.uri, { appName: `quire ${name}` })
    const purged = purgeAfter(client, { config, log })
    try {
      return await work({
        config,
        db: await ownDatabase(client),
        log,
        singleProcess: host.singleProcess,
      })
    } finally {
      await purged()
      await client.close()
    }
  } finally {
    await host.stop()
  }
}

/**
 * Returns a function that purges all caches if the command has written content that they may contain. A running service
 * purges only the responses that a write affects.
 */
function purgeAfter(
  client: MongoClient,
  { config, log }: Pick<OpenDatabase, 'config' | 'log'>,
): () => Promise<void> {
  const waiting = createWaitingKeys()
  versionsOf(client).followWrites(waiting.wrote)
  return async () => {
    if (waiting.size() === 0) return
    if ((await purgeEverything(config.settings)) === false)
      log.error(
        { event: 'purge-lost' },
        'Caches were not purged after these writes. They can show old content until it expires',
      )
  }
}

/** A database with its stored definitions. */
export type OpenContent = OpenDatabase & Readonly<{ registry: Registry }>

/**
 * Opens the database with its stored definitions. Processes that need exclusive access to the database wait for the
 * command.
 * @param notes whether running an interrupted command again finishes its work, so that nothing needs repair
 */
export async function withContent<T>(
  name: string,
  work: (content: OpenContent) => Promise<T>,
  { notes }: Readonly<{ notes: boolean }> = { notes: false },
): Promise<T> {
  return withDatabase(name, async (database) => {
    const { db } = database
    // During an import, references to content that is not imported yet would look inconsistent.
    await refuseHalfImported(db)
    await checkMarkedFormat(db)
    const { definitions, version } = await readDefinitions(db)
    return withHeartbeat(database, { notes, schemaVersion: () => version }, async () => {
      // Partly converted entries look like remains of interrupted writes. Read `converting` after the heartbeat has
      // started: a conversion that begins after this read sees the command.
      const { converting } = await readDefinitions(db)
      if (notes && converting !== undefined) throw new Error(unfinished(converting))
      const registry = createRegistryFrom(definitions.map(sourced), version)
      return work({ ...database, registry })
    })
  })
}

/**
 * Runs a task while this process has a heartbeat, so that processes that need exclusive access to the database see it.
 * With `notes: true` (default), no instance checks all content if this process is killed. This is for commands that
 * complete interrupted work when they run again.
 */
export async function withHeartbeat<T>(
  { db, log, singleProcess }: OpenDatabase,
  options: Partial<HeartbeatOptions>,
  task: (heartbeat: Heartbeat) => Promise<T>,
): Promise<T> {
  const usual = { log, singleProcess, notes: true, schemaVersion: () => 0 }
  const heartbeat = await startHeartbeat(db, { ...usual, ...options })
  try {
    return await task(heartbeat)
  } finally {
    await heartbeat.leave()
  }
}

/** Creates a logger that writes warnings and errors to standard error, as short lines that people can read. */
export const createCommandLog = (): Logger => pino({ level: 'warn' }, readableLines(process.stderr))
