import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MongoClient } from 'mongodb'
import { createClient } from '../../engine/database/client.js'
import { isObject } from '../../engine/values/is-object.js'
import { explainUnreachable, shownUri } from '../../server/database/explain-unreachable.js'
import { firstLocale } from '../../server/locales/locales.js'
import type { Config } from '../../server/settings/config.js'
import { createNotes } from '../import-strapi/notes.js'
import { ImportRefused } from '../import-refused.js'
import type { ImportReport } from '../import-strapi/report.js'
import { runPlan, type RunOptions } from '../import-strapi/run-plan.js'
import { defaultLocaleOf, tellSettings } from '../import-strapi/told-settings.js'
import { convertModels } from './definitions/convert-models.js'
import { createFormerArchive } from './former-archive.js'
import { overviewOf } from './former-overview.js'
import { readModelFiles } from './models/model-files.js'
import { readModels } from './models/read-models.js'
import { readStoredCore } from './models/stored-models.js'

export type ImportV3Options = RunOptions &
  Readonly<{
    /** Of the old database, which is read alone. */
    uri: string
    /** The folder of the project's sources; what is stored of it counts where there is none. */
    definitions?: string | undefined
    /** The folder of its files: `public/uploads`. */
    uploads?: string | undefined
  }>

/**
 * Imports the content of a Strapi 3 out of its MongoDB. One that was cut off goes on where it was when it is run again,
 * with the same database.
 * @throws ImportRefused, SchemaError
 */
export async function runImportV3(config: Config, options: ImportV3Options): Promise<ImportReport> {
  const { uri, definitions: folder, uploads, progress } = options
  progress('Reading the old database')
  const client = await connect(uri)
  try {
    // Whole numbers of 64 bits keep all of their digits.
    const db = client.db(undefined, { useBigInt64: true })
    const notes = createNotes()
    const { models: stored, settings } = await readStoredCore(db)
    const models = readModels(
      folder === undefined ? [] : await readModelFiles(folder),
      stored,
      notes,
    )
    const defaultLocale = defaultLocaleOf({ settings }) ?? firstLocale.code
    const former = { db, models, settings, defaultLocale, uploads }
    const version = (folder && (await versionIn(folder))) ?? '3'
    const overview = await overviewOf(former, version, client, notes)
    const definitions = convertModels(models, notes)
    tellSettings(overview, notes)
    const archive = createFormerArchive(former)
    return await runPlan(config, { archive, overview, notes, definitions }, options)
  } finally {
    await client.close()
  }
}

async function connect(uri: string): Promise<MongoClient> {
  let client: MongoClient | undefined
  try {
    client = createClient(uri, { appName: 'quire import-strapi-v3' })
    await client.connect()
    await client.db().command({ ping: 1 })
    return client
  } catch (error) {
    await client?.close()
    throw new ImportRefused(
      `Cannot read the old database at ${shownUri(uri)}: ${explainUnreachable(error, uri)}`,
    )
  }
}

/** The version of Strapi that the sources ask for. */
async function versionIn(folder: string): Promise<string | undefined> {
  try {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8')
    const { dependencies } = JSON.parse(text) as { dependencies?: unknown }
    const version = isObject(dependencies) ? dependencies['strapi'] : undefined
    return typeof version === 'string' ? version.slice(0, 50) : undefined
  } catch {
    return undefined
  }
}
