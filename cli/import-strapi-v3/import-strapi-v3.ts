import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Db, MongoClient } from 'mongodb'
import { createClient } from '../../engine/database/client.js'
import { isObject } from '../../engine/values/is-object.js'
import { explainUnreachable, shownUri } from '../../server/database/explain-unreachable.js'
import { firstLocale } from '../../server/locales/locales.js'
import { loadConfig } from '../../server/settings/config.js'
import { fromEnvironment } from '../from-environment.js'
import { ImportRefused } from '../import-runner/import-refused.js'
import { createNotes } from '../import-strapi/notes.js'
import { tellReport, type ImportReport } from '../import-strapi/report.js'
import { runPlan, type RunOptions } from '../import-strapi/run-plan.js'
import { defaultLocaleOf, tellSettings } from '../import-strapi/told-settings.js'
import { printReport } from '../print-json.js'
import { clearProgress, onProgress as progress } from '../progress.js'
import { convertModels } from './definitions/convert-models.js'
import { createFormerArchive } from './former-archive.js'
import { overviewOf } from './former-overview.js'
import { readModelFiles } from './models/model-files.js'
import { readModels } from './models/read-models.js'
import { readStoredCore } from './models/stored-models.js'
import { writeMap } from './write-map.js'

type Options = Omit<RunOptions, 'progress' | 'refuse' | 'afterwards'> &
  Readonly<{
    /** The folder of the project's sources. Without it, the models are read from the database. */
    definitions?: string
    /** The folder of its files: `public/uploads`. */
    uploads?: string
    /** The file to write the old and the new ids to. */
    map?: string
    json: boolean
  }>

/** Imports, writes which id became which, and tells what became of it. */
export async function importStrapiV3(uri: string, options: Options): Promise<void> {
  const report = await runImport(fromEnvironment(uri), options).finally(clearProgress)
  printReport(options.json, report, tellReport)
}

/**
 * Imports the content of a Strapi 3 from its MongoDB. Continues an interrupted import of the same database.
 * @param uri of the old database, which is only read
 * @throws ImportRefused, SchemaError
 */
async function runImport(
  uri: string,
  { definitions: folder, uploads, map, ...options }: Options,
): Promise<ImportReport> {
  const config = loadConfig()
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
    const plan = { archive: createFormerArchive(former), overview, notes, definitions }
    return await runPlan(config, plan, {
      ...options,
      progress,
      refuse: refuseItself,
      afterwards: async (imported) => (map === undefined ? undefined : writeMap(imported, map)),
    })
  } finally {
    await client.close()
  }
}

/** Collections of the two have the same names. */
async function refuseItself(db: Db): Promise<void> {
  if ((await db.listCollections({ name: 'core_store' }).toArray()).length === 0) return
  throw new ImportRefused(
    'The database of the service is that of a Strapi 3 (it has a core_store): give the service one of its own (MONGODB_URI)',
  )
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
