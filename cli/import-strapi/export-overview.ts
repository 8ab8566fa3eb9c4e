import { createHash } from 'node:crypto'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { isObject, objectOf, type PlainObject } from '../../engine/values/is-object.js'
import { kindOf, rowTypeOf } from './archive/exported.js'
import { jsonOf, linesOf } from '../../server/backup/archive/read-lines.js'
import { archiveOfQuire } from '../../server/backup/archive/other-archives.js'
import { ArchiveError } from '../../server/backup/archive/tar-files.js'
import { memberNames } from '../../server/backup/members.js'
import type { Archive } from './archive/open-archive.js'
import type { Notes } from './notes.js'

/** Data about an export, collected by reading it once. */
export type Overview = Readonly<{
  /** Identifies the export for a later run that continues the import. For an archive, its SHA-256. */
  id: string
  strapiVersion: string
  exportedAt: string
  /** The settings in Strapi's `core_store` that have an equivalent in Quire, by key. */
  settings: ReadonlyMap<string, unknown>
  rows: ReadonlyMap<string, number>
  /** The number of links. Absent if the links are generated while they are read. */
  links?: number
  assets: Readonly<{ files: number; bytes: number }>
}>

/** The result of reading an export, before anything is written. */
export type Plan = Readonly<{
  archive: Archive
  overview: Overview
  notes: Notes
  definitions: readonly SourcedDefinition[]
  /** Data that this kind of export never contains. Each line also says what to do about it. */
  neverIncluded: readonly string[]
}>

const maxSchemas = 10_000

/** The settings to read from Strapi's `core_store`. */
const settingKeys: ReadonlySet<string> = new Set([
  'plugin_i18n_default_locale',
  'plugin_users-permissions_advanced',
  'plugin_users-permissions_grant',
])

/**
 * Reads an export without storing its rows. Returns its definitions as `schemas`.
 * @throws ArchiveError if the export is damaged, incomplete, or from an unsupported version of Strapi
 */
export async function readOverview(archive: Archive, notes: Notes) {
  const hash = createHash('sha256')
  const schemas: PlainObject[] = []
  const settings = new Map<string, unknown>()
  const assets = { files: 0, bytes: 0 }
  const rows = new Map<string, number>()
  let links = 0
  let metadata: unknown
  for await (const file of archive({ hash, notes })) {
    const kind = kindOf(file.name)
    if (kind === 'metadata') metadata = await jsonOf(file)
    else if (kind === 'schemas')
      for await (const { value } of linesOf(file)) {
        if (schemas.length === maxSchemas)
          throw new ArchiveError(`There are more than ${maxSchemas} definitions`)
        if (isObject(value)) schemas.push(value)
      }
    else if (file.name === memberNames.manifest) throw archiveOfQuire()
    else if (kind === 'configuration') {
      for await (const { value } of linesOf(file)) takeSetting(value, settings, notes)
    } else if (kind === 'entities') {
      for await (const { value } of linesOf(file)) countRow(value, rows)
    } else if (kind === 'links') {
      for await (const line of linesOf(file)) links += line.text === '' ? 0 : 1
    } else if (kind === 'assets') {
      assets.files += 1
      assets.bytes += file.size
    } else if (kind === undefined)
      notes.leftOut('unknown files in the archive', file.name.slice(0, 200))
  }
  const id = hash.digest('hex')
  return { id, ...readMetadata(metadata), schemas, settings, rows, links, assets }
}

/** The metadata is the last file of an export. If it is missing, the export was cut off. */
function readMetadata(value: unknown): Pick<Overview, 'strapiVersion' | 'exportedAt'> {
  const { strapi, createdAt: exportedAt } = objectOf(value)
  const { version } = objectOf(strapi)
  if (typeof version !== 'string' || typeof exportedAt !== 'string')
    throw new ArchiveError('The archive is incomplete: it has no metadata.json')
  if (!/^5\./.test(version))
    throw new ArchiveError(
      `The export is from Strapi ${version}. Upgrade the project to Strapi 5 first, and export it again`,
    )
  return { strapiVersion: version, exportedAt }
}

/** Counts a row by its type. Rows without a type, and rows of types beyond the maximum, are counted together. */
function countRow(value: unknown, rows: Map<string, number>): void {
  const type = rowTypeOf(value)
  const hasCapacity = rows.has(type) || rows.size < maxSchemas
  const key = hasCapacity ? type : ''
  rows.set(key, (rows.get(key) ?? 0) + 1)
}

function takeSetting(value: unknown, settings: Map<string, unknown>, notes: Notes): void {
  const { type, value: stored } = objectOf(value)
  if (type !== 'core-store' || !isObject(stored)) {
    notes.leftOut('webhooks, and other configuration of the admin panel')
    return
  }
  const { key, value: setting } = stored
  if (typeof key === 'string' && settingKeys.has(key)) settings.set(key, setting)
}
