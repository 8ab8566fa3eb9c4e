/**
 * `npm run media -- move --to s3|gridfs|local`: moves the content of all files to a provider, beside services that
 * are in use. `npm run media -- check`: lists records without bytes, bytes without a record, and references to
 * files that are gone; with `--remove` removes them, and uploads that nobody finished. `npm run media -- adopt`: makes
 * the folder of uploads the one that the files of the database are in. Ends with code 1 where something was found that
 * is still there, or could not be moved.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Db } from 'mongodb'
import { pino, type Logger } from 'pino'
import { createRegistryFrom } from '../engine/schema/define-registry.js'
import { builtIn, typeOf } from '../engine/schema/registry.js'
import { collectionOf } from '../engine/schema/content-type.js'
import { checkFormat } from '../server/content-types/check-format.js'
import { readDefinitions } from '../server/content-types/definition-store.js'
import { sourced } from '../server/content-types/merge-definitions.js'
import { ownDatabase } from '../engine/database/own-database.js'
import { connectDatabase } from '../server/database/connect.js'
import { startDatabaseHost } from '../server/database/host.js'
import { hostOptions } from '../server/database/host-options.js'
import { openPresence } from '../server/repair/presence.js'
import { loadConfig, type Config } from '../server/settings/config.js'
import type { FileDocument } from '../server/upload/maintenance/file-documents.js'
import { createProviders } from '../server/upload/providers/create-providers.js'
import { s3OptionsOf } from '../server/upload/providers/s3-options.js'
import { openUnsettledContents } from '../server/upload/unsettled-contents.js'
import { adoptFolder } from './media/adopt-folder.js'
import { checkMedia } from './media/check-media.js'
import { moveMedia } from './media/move-media.js'
import type { Media } from './media/media.js'

const usage =
  'Usage: npm run media -- move --to local|gridfs|s3\n       npm run media -- check [--remove]\n       npm run media -- adopt'

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, remove: { type: 'boolean', default: false } },
  })
  const [command, ...others] = positionals
  const run = {
    move: (media: Media) => moveMedia(media, values.to ?? ''),
    check: (media: Media) => checkMedia(media, values.remove),
    adopt: adoptFolder,
  }
  if (others.length > 0 || command === undefined || !isOneOf(run, command)) throw new Error(usage)
  if (command === 'move' && values.to === undefined) throw new Error(usage)
  const isDone = await overMedia(run[command])
  if (!isDone) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

function isOneOf<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name)
}

/** Opens the database that the service would use, as one more of the processes over it. */
async function overMedia<T>(run: (media: Media) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const log = pino({ level: 'warn' }, pino.destination(2))
  const host = await startDatabaseHost({ ...hostOptions(config), log })
  try {
    const client = await connectDatabase(host.uri, { appName: 'quire media' })
    try {
      return await withMedia(await ownDatabase(client), config, log, host.alone, run)
    } finally {
      await client.close()
    }
  } finally {
    await host.stop()
  }
}

async function withMedia<T>(
  db: Db,
  { settings, dataDir, s3Credentials }: Config,
  log: Logger,
  alone: boolean,
  run: (media: Media) => Promise<T>,
): Promise<T> {
  const { definitions, version } = await readDefinitions(db)
  const presence = await openPresence(db, {
    log,
    alone,
    notes: false,
    schemaVersion: () => version,
  })
  const providers = createProviders({
    ...{ chosen: settings['upload.provider'], db, directory: join(dataDir, 'uploads') },
    s3: s3OptionsOf(settings, s3Credentials),
  })
  try {
    if (definitions.length > 0) await checkFormat(db)
    presence.started()
    const registry = createRegistryFrom(definitions.map(sourced), version)
    const collection = collectionOf(typeOf(registry, builtIn.file), 'published')
    const files = db.collection<FileDocument>(collection)
    const contents = openUnsettledContents(
      { db, log, settings, registry: () => registry },
      { providers, alone },
    )
    return await run({ db, registry, files, providers, contents, alone })
  } finally {
    for (const { close } of providers.all) await close?.()
    await presence.leave()
  }
}
