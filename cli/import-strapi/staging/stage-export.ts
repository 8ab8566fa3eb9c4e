import type { Db, Collection, OptionalUnlessRequiredId } from 'mongodb'
import { builtIn, type Registry } from '../../../engine/schema/registry.js'
import { objectOf } from '../../../engine/values/is-object.js'
import { linesOf } from '../../../server/backup/archive/read-lines.js'
import { componentIdsIn } from '../content/owners-in.js'
import { folderUid } from '../../../server/upload/folders/folder-types.js'
import {
  keyOf,
  kindOf,
  readEntity,
  readLink,
  rowTypeOf,
  type ExportedEntity,
} from '../archive/exported.js'
import type { Archive } from '../archive/open-archive.js'
import { onProgress } from '../../progress.js'
import type { Notes } from '../notes.js'
import { type FileRules, assetsOf, renamed } from '../media/file-assets.js'
import {
  openStaging,
  stagedAssets,
  stagedLinks,
  stagedRows,
  type StagedAsset,
  type StagedLink,
} from './staged.js'
import { permissionUid, placeLink } from './place-link.js'

/** The largest record id of each content-type or component. */
type LargestIds = ReadonlyMap<string, number>

/** Receives the contents of an export. An import stores them in the database. A dry run only counts them. */
type StagingStore = Readonly<{
  row: (entity: ExportedEntity, documentId: string, line: string) => Promise<void> | void
  link: (link: StagedLink) => Promise<void> | void
  asset: (asset: StagedAsset) => Promise<void> | void
}>

type Parts = Readonly<{
  archive: Archive
  /** The types, including the folders of the media library. */
  registry: Registry
  notes: Notes
  files: FileRules
}>

/**
 * Stores an export in temporary collections, with indexes to find all rows of a document and all links of a row.
 * Removes the data of an earlier attempt first.
 */
export async function stageExport(parts: Parts, db: Db): Promise<LargestIds> {
  await openStaging(db)
  const rows = new Batches(stagedRows(db))
  const links = new Batches(stagedLinks(db))
  const assets = new Batches(stagedAssets(db))
  const largest = await readExport(parts, {
    row: ({ type, id }, documentId, line) =>
      rows.add({ _id: keyOf(type, id), type, documentId, line }, line.length),
    link: (link) => links.add(link, linkBytes),
    asset: (asset) => assets.add(asset, linkBytes),
  })
  for (const one of [rows, links, assets]) await one.flush()
  return largest
}

const linkBytes = 300

/** Passes the rows and links of an export to `store`. Reports those without an equivalent in Quire. */
export async function readExport(
  { archive, registry, notes, files }: Parts,
  store: StagingStore,
): Promise<LargestIds> {
  const largest = new Map<string, number>()
  const raise = (uid: string, id: number): void => {
    largest.set(uid, Math.max(largest.get(uid) ?? 0, id))
  }
  let count = 0
  const placeFile = createFilePlaces(files, notes)
  const takeRow = async (value: unknown, line: string, place: string): Promise<void> => {
    const entity = readEntity(value)
    const documentId = documentIdOf(entity?.data)
    if (entity === undefined || documentId === undefined) {
      const what = 'rows without a type, an id or a documentId'
      return notes.leftOut(what, place, rowTypeOf(value))
    }
    // Never import admins. Otherwise whoever made the archive could add admins to this service.
    const isOfAdmins = entity.type.startsWith('admin::')
    const type = isOfAdmins ? undefined : registry.contentTypes.get(entity.type)
    if (type === undefined && entity.type !== permissionUid)
      return notes.leftOut(`rows of ${entity.type}: ${reasonOf(entity.type)}`, place, entity.type)
    if (type === undefined) notes.merged('permissions are stored in the roles', entity.type)
    const content = entity.type === builtIn.file ? placeFile(entity) : undefined
    if (content === null) return
    raise(entity.type, entity.id)
    if (type !== undefined)
      for (const { uid, id } of componentIdsIn(type, entity.data, registry)) raise(uid, id)
    for (const asset of content?.assets ?? []) await store.asset(asset)
    await store.row(entity, documentId, content?.line ?? line)
  }
  const takeLink = async (value: unknown, place: string): Promise<void> => {
    const { field } = objectOf(objectOf(value).left)
    // `localizations` connects the locales of a document, which already share a `documentId`.
    if (field === 'localizations') return
    const link = readLink(value)
    if (link === undefined) return notes.leftOut('links that lack one of their two ends', place)
    const placed = placeLink(link, registry)
    if ('reason' in placed) notes.leftOut(placed.reason, place)
    else await store.link({ _id: place, ...placed })
  }
  for await (const file of archive({ only: 'content', notes })) {
    const kind = kindOf(file.name)
    if (kind !== 'entities' && kind !== 'links') continue
    for await (const { value, text, place } of linesOf(file)) {
      if (kind === 'entities') await takeRow(value, text, place)
      else await takeLink(value, place)
      count += 1
      if (count % 1000 === 0) onProgress(`Reading the export: ${count} rows and links`)
    }
  }
  return largest
}

/**
 * Returns the documentId of a row, if it is valid: only letters and digits are allowed, because documentIds become part
 * of references and of paths in the database.
 */
function documentIdOf(data: ExportedEntity['data'] | undefined): string | undefined {
  const documentId = data?.documentId
  return typeof documentId === 'string' && /^[A-Za-z][A-Za-z0-9]{7,63}$/.test(documentId)
    ? documentId
    : undefined
}

function reasonOf(uid: string): string {
  if (uid.startsWith('plugin::content-releases.')) return 'Quire has no releases'
  if (uid.startsWith('plugin::review-workflows.')) return 'Quire has no workflows'
  if (uid.startsWith('admin::')) return 'admins must be created again'
  return uid === folderUid ? 'folders' : 'there is no such content-type'
}

const maxMembers = 1000
const maxBytes = 8 * 1024 * 1024

/** Inserts documents in batches, to limit memory use. */
class Batches<T extends { _id: string }> {
  readonly #collection: Collection<T>
  #documents: T[] = []
  #bytes = 0

  constructor(collection: Collection<T>) {
    this.#collection = collection
  }

  /** @param bytes approximate size of the document */
  async add(document: T, bytes: number): Promise<void> {
    this.#documents.push(document)
    this.#bytes += bytes
    if (this.#documents.length >= maxMembers || this.#bytes >= maxBytes) await this.flush()
  }

  async flush(): Promise<void> {
    const documents = this.#documents as unknown as OptionalUnlessRequiredId<T>[]
    if (documents.length === 0) return
    this.#documents = []
    this.#bytes = 0
    await this.#collection.insertMany(documents, { ordered: false })
  }
}

/**
 * Creates a function that returns unique names for the content of each file, and the file's changed row if they differ
 * from the previous names. If two files shared a name, deleting one file would affect the other. For a rejected file,
 * the function reports it and returns null.
 */
function createFilePlaces(rules: FileRules, notes: Notes) {
  const taken = new Set<string>()
  const isFree = (assets: readonly StagedAsset[]): boolean => {
    const names = new Set(assets.map(({ _id }) => _id))
    return names.size === assets.length && !assets.some(({ _id }) => taken.has(_id))
  }
  return ({ type, id, data }: ExportedEntity) => {
    const place = keyOf(type, id)
    const first = assetsOf(data, rules)
    if (first.refused !== undefined) {
      const what = `files of a type that upload.deniedTypes refuses (${first.refused})`
      notes.leftOut(what, place, type)
      return null
    }
    for (const refused of first.refusedVersions)
      notes.leftOut(
        `smaller versions of a type that upload.deniedTypes refuses (${refused})`,
        place,
      )
    let row = data
    let own = first
    while (!isFree(own.assets)) {
      row = renamed(row, own, id)
      own = assetsOf(row, rules)
    }
    for (const { _id } of own.assets) taken.add(_id)
    if (own === first) return { assets: first.assets }
    notes.adapted(
      'files whose stored name another file already has, which get a copy with another name',
      place,
    )
    // Store under the new names, but read under the names in the archive.
    const assets = own.assets.map((asset, at) => ({ ...asset, from: first.assets[at]?.from ?? '' }))
    return { assets, line: JSON.stringify({ type, id, data: row }) }
  }
}
