import { createHash } from 'node:crypto'
import type { MongoClient } from 'mongodb'
import type { Notes } from '../import-strapi/notes.js'
import type { Overview } from '../import-strapi/export-overview.js'
import type { Former } from './former-archive.js'
import { permissionModel } from './models/built-in-models.js'
import { countUploads } from './uploaded-files.js'

/** Collections of a Strapi 3 that have no place here, and what is said of their rows. */
const withoutPlace: Readonly<Record<string, string>> = {
  strapi_administrator: 'admins, who are made anew',
  strapi_role: 'roles of admins, of which there are none here',
  strapi_permission: 'permissions of admins, of which there are none here',
  strapi_webhooks: 'webhooks',
}

/** What is known of a Strapi 3 before its rows are read. */
export async function overviewOf(
  former: Former,
  version: string,
  client: MongoClient,
  notes: Notes,
): Promise<Overview> {
  const { db, models, settings, uploads } = former
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
      notes.leftOut('collections that no definition names', name.slice(0, 200))
  return {
    id: idOf(client, db.databaseName),
    strapiVersion: version,
    exportedAt: new Date().toISOString(),
    settings,
    rows,
    assets: uploads === undefined ? { files: 0, bytes: 0 } : await countUploads(uploads),
  }
}

/** One database is one import, whoever logs in to it and in which order its hosts are named. */
function idOf({ options: { srvHost, hosts } }: MongoClient, database: string): string {
  const place = srvHost ?? hosts.map(String).sort().join(',')
  return createHash('sha256').update(`${place.toLowerCase()}/${database}`).digest('hex')
}
