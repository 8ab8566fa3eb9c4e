import { rename } from 'node:fs/promises'
import path from 'node:path'
import type { Db, MongoClient } from 'mongodb'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createClient } from '../../engine/database/client.js'
import { objectOf, type PlainObject } from '../../engine/values/is-object.js'
import { explainUnreachable, shownUri } from '../../server/database/explain-unreachable.js'
import { loadConfig } from '../../server/settings/config.js'
import { fromEnvironment } from '../from-environment.js'
import { createNotes, type Notes } from '../import-strapi/notes.js'
import { runPlan, type RunOptions } from '../import-strapi/run-plan.js'
import { defaultLocaleOf } from '../import-strapi/note-settings.js'
import { onProgress } from '../progress.js'
import { convertModels } from './definitions/convert-models.js'
import { createV3Archive, type V3Source } from './v3-archive.js'
import { readJson, readModelFiles } from './models/model-files.js'
import { readModels, readStoredCore } from './models/read-models.js'
import type { Overview } from '../import-strapi/export-overview.js'
import { permissionModel } from './models/built-in-models.js'
import { countUploads } from './uploaded-files.js'
import { legacyIds } from '../../server/content/legacy-ids.js'

type ImportStrapiV3Options = RunOptions &
  Readonly<{
    /** The folder of the project's source files. If absent, the models are read from the database. */
    definitions?: string
    /** The folder of uploaded files: `public/uploads`. */
    uploads?: string
    /** The file for the map from old ids to new ids. */
    map?: string
  }>

/**
 * Imports the content of Strapi 3 from its MongoDB, and writes a map from old to new ids. Continues an interrupted
 * import of the same database.
 * @param uri URI of the old database, which is only read
 * @returns false if a dry run finds that the import would be rejected
 * @throws SchemaError, or Error if the import is rejected
 */
export async function importStrapiV3(
  uri: string,
  { definitions: folder, uploads, map, ...options }: ImportStrapiV3Options,
): Promise<boolean> {
  const config = loadConfig()
  onProgress('Reading the old database')
  const client = await connect(fromEnvironment(uri))
  try {
    // `bigint` keeps all digits of 64-bit integers.
    const db = client.db(undefined, { useBigInt64: true })
    const notes = createNotes()
    const { models: stored, settings } = await readStoredCore(db)
    const models = readModels(
      folder === undefined ? [] : await readModelFiles(folder),
      stored,
      notes,
    )
    const defaultLocale = defaultLocaleOf({ settings })
    const source = { db, models, settings, defaultLocale, uploads }
    const version = (folder && (await versionIn(folder))) ?? '3'
    const overview = await overviewOf(source, version, notes)
    const definitions = convertModels(models, notes)
    const archive = createV3Archive(source)
    const plan = { archive, overview, notes, definitions, neverIncluded }
    return await runPlan(config, plan, {
      ...options,
      refuse: refuseItself,
      afterwards: async (imported) => (map === undefined ? undefined : writeMap(imported, map)),
    })
  } finally {
    await client.close()
  }
}

/** Data that an import from the database alone does not include. Each line also says what to do about it. */
const neverIncluded = [
  'admins with their passwords and roles: set ADMIN_EMAIL and ADMIN_PASSWORD for the first admin, who can invite others',
  'the content of files: give its folder (public/uploads) with --uploads',
  'secrets and keys, such as the JWT secret: users must log in again',
  'code and config/: docs/coming-from-strapi-3.md describes their replacements',
]

/**
 * Throws if the target is a Strapi 3 database, because the import could then overwrite the collections that it reads.
 */
async function refuseItself(db: Db): Promise<void> {
  if ((await db.listCollections({ name: 'core_store' }).toArray()).length === 0) return
  throw new Error(
    'The database of this project belongs to a Strapi 3 project, because it has a core_store. Set MONGODB_URI to another database',
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
    throw new Error(
      `Cannot read the old database at ${shownUri(uri)}: ${explainUnreachable(error, uri)}`,
      { cause: error },
    )
  }
}

/** Returns the version of Strapi in a project's `package.json`. */
async function versionIn(folder: string): Promise<string | undefined> {
  const file = path.join(folder, 'package.json')
  const { dependencies }: PlainObject = await readJson(file).catch(() => ({}))
  const { strapi: version } = objectOf(dependencies)
  return typeof version === 'string' ? version.slice(0, 50) : undefined
}

/** Collections of Strapi 3 for which Quire has no equivalent. The values describe their rows in the report. */
const withoutPlace: Readonly<Record<string, string>> = {
  strapi_administrator: 'admins, who must be created again',
  strapi_role: 'roles of admins, which Quire does not have',
  strapi_permission: 'permissions of admins, which Quire does not have',
  strapi_webhooks: 'webhooks',
}

async function overviewOf(source: V3Source, version: string, notes: Notes): Promise<Overview> {
  const { db, models, settings, uploads } = source
  const rows = new Map<string, number>()
  const known = new Set(['core_store', permissionModel.collectionName])
  for (const { kind, uid, collectionName } of models) {
    known.add(collectionName)
    if (kind === 'component') continue
    const count = await db.collection(collectionName).countDocuments()
    if (count > 0) rows.set(uid, count)
  }
  for (const [name, what] of Object.entries(withoutPlace)) {
    known.add(name)
    const count = await db.collection(name).countDocuments()
    for (let at = 0; at < count; at++) notes.leftOut(what)
  }
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  for (const { name } of collections)
    if (!known.has(name) && !name.startsWith('system.'))
      notes.leftOut('collections without a definition', name.slice(0, 200))
  return {
    id: idOf(db),
    strapiVersion: version,
    exportedAt: new Date().toISOString(),
    settings,
    rows,
    assets: uploads === undefined ? { files: 0, bytes: 0 } : await countUploads(uploads),
  }
}

/** Returns an id of the old database that depends neither on the user in its URI nor on the order of its hosts. */
function idOf({ client, databaseName }: Db): string {
  const { srvHost, hosts } = client.options
  const place = srvHost ?? hosts.map(String).sort().join(',')
  return createHash('sha256').update(`${place.toLowerCase()}/${databaseName}`).digest('hex')
}

/**
 * Writes the map from old ids to documentIds: `{ "api::article.article": { "5f…": "x3k…" } }`. Writes a temporary file
 * and renames it, so that the map is either complete or missing.
 */
async function writeMap(db: Db, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  await pipeline(Readable.from(textOf(db)), createWriteStream(unfinished))
  await rename(unfinished, file)
}

async function* textOf(db: Db): AsyncGenerator<string> {
  let type: string | undefined
  yield '{'
  for await (const { _id, documentId } of legacyIds(db).find().sort({ _id: 1 })) {
    const at = _id.lastIndexOf(':')
    const [uid, id] = [_id.slice(0, at), _id.slice(at + 1)]
    if (uid === type) yield ','
    else yield `${type === undefined ? '' : '\n  },'}\n  ${JSON.stringify(uid)}: {`
    type = uid
    yield `\n    ${JSON.stringify(id)}: ${JSON.stringify(documentId)}`
  }
  yield type === undefined ? '}\n' : '\n  }\n}\n'
}
