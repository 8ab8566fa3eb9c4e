import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { collectionOf, type ContentType, type Status } from '../../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../../engine/schema/registry.js'
import { batchesOf } from '../../../engine/values/batches.js'
import { takeId } from '../../../engine/database/take-ids.js'
import { keyOf, type ExportedEntity } from '../archive/exported.js'
import { duplicatesIn } from '../../database/insert-again.js'
import { onProgress } from '../../progress.js'
import type { VersionCheck } from '../../import-runner/check-versions.js'
import { saveProgress } from '../../import-runner/import-record.js'
import { addMapped, type ExportRecord, type Mapped } from '../export-record.js'
import type { FileRules } from '../media/file-assets.js'
import type { Notes } from '../notes.js'
import { stagedRows } from '../staging/staged.js'
import { adaptRow } from './adapt-row.js'
import { convertRow } from './convert-row.js'
import { findActions, findReferences } from './find-references.js'
import { noteRefused } from './note-refused.js'
import { makeVersions, type MadeVersion } from './make-versions.js'
import { ownersIn } from './owners-in.js'
import { modifiedField } from '../../../engine/values/modified.js'
import { versionKeyText, type VersionKey } from '../../../engine/values/stored-types.js'
import { isLegacyId, legacyIds, legacyKey } from '../../../server/content/legacy-ids.js'

type ContentParts = Readonly<{
  db: Db
  /** The types, including the folders of the media library. */
  registry: Registry
  record: ExportRecord
  notes: Notes
  files: FileRules
  defaultLocale: string
  exportedAt: Date
  check: VersionCheck
}>

const batchDocuments = 100

type Group = { documentId: string; rows: ExportedEntity[]; bytes: number }

/**
 * Writes the staged entries in batches of documents, with the record ids of the export. Saves the progress after each
 * batch. A batch can be repeated.
 */
export async function writeContent(parts: ContentParts): Promise<Readonly<Record<string, Mapped>>> {
  const { db, registry, record } = parts
  const mapped: Record<string, Mapped> = { ...record.mapped }
  const uids = [...registry.contentTypes.keys()].sort()
  for (const uid of uids.filter((one) => one >= (record.at?.uid ?? ''))) {
    const type = typeOf(registry, uid)
    const after = uid === record.at?.uid ? record.at.documentId : ''
    const groups = groupsOf(parts, type, after)
    for await (const batch of batchesOf(groups, batchDocuments, ({ bytes }) => bytes)) {
      const written = addMapped(await writeBatch(parts, type, batch), mapped[uid])
      mapped[uid] = written
      const documentId = batch.at(-1)?.documentId ?? ''
      const at = { uid, documentId }
      await saveProgress(db, record, { at, mapped, notes: parts.notes.list() })
      onProgress(`Writing ${uid}: ${written.documents} documents`)
    }
  }
  return mapped
}

async function* groupsOf(
  { db }: ContentParts,
  { uid }: ContentType,
  after: string,
): AsyncGenerator<Group> {
  let group: Group | undefined
  const cursor = stagedRows(db)
    .find({ type: uid, documentId: { $gt: after } }, { batchSize: 100 })
    .sort({ documentId: 1, _id: 1 })
  for await (const { documentId, line } of cursor) {
    if (documentId !== group?.documentId) {
      if (group !== undefined) yield group
      group = { documentId, rows: [], bytes: 0 }
    }
    group.rows.push(JSON.parse(line) as ExportedEntity)
    group.bytes += line.length
  }
  if (group !== undefined) yield group
}

async function writeBatch(
  parts: ContentParts,
  type: ContentType,
  batch: readonly Group[],
): Promise<Mapped> {
  const { db, registry, record, notes } = parts
  const rows = batch.flatMap((group) => group.rows)
  const owners = rows.flatMap(({ id, data }) => ownersIn(type, id, data, registry))
  const referencesOf = await findReferences(db, owners, registry, notes)
  const roles = type.uid === builtIn.role ? rows.map(({ id }) => keyOf(type.uid, id)) : []
  const actions = await findActions(db, roles, registry, notes)
  const context = {
    ...parts,
    referencesOf,
    componentIdOf: (uid: string, id: number) => (record.componentsFrom[uid] ?? 0) + id,
    actionsOf: (role: string) => [...(actions.get(role) ?? [])],
  }
  const contentOf = (row: ExportedEntity) =>
    adaptRow(row, convertRow(type, row.data, row.id, context), context)
  const versions = batch.flatMap((group) => makeVersions(type, group.rows, { ...parts, contentOf }))
  const all = [...versions, ...(await missingDrafts(parts, type, versions))]
  const allowed = await withoutRefused(parts, type, all)
  const drafts = await store(db, type, 'draft', allowed, notes)
  const published = await store(db, type, 'published', allowed, notes)
  await keepLegacyIds(db, rows)
  return { rows: rows.length, documents: batch.length, drafts, published }
}

/**
 * Creates a draft for each published version that lacks one, as Strapi's migrations do. Without a draft, the published
 * version would look like remains of an interrupted write.
 */
async function missingDrafts(
  { db, notes }: ContentParts,
  type: ContentType,
  versions: readonly MadeVersion[],
): Promise<readonly MadeVersion[]> {
  const made: MadeVersion[] = []
  for (const { document } of withoutDrafts(type, versions, notes)) {
    const { documentId, locale } = document
    const there = await db
      .collection<{ _id: number }>(collectionOf(type, 'draft'))
      .findOne({ documentId, locale }, { projection: { _id: 1 } })
    const id = there?._id ?? (await takeId(db, type.uid))
    const draft = { ...document, _publishedFrom: undefined, publishedAt: null, _id: id }
    made.push({ status: 'draft', document: draft })
  }
  return made
}

/** Returns the published versions that lack a draft, and reports that the import creates them. */
export function withoutDrafts<
  V extends Readonly<{ status: Status; document: VersionKey & Readonly<{ _id: number }> }>,
>(type: ContentType, versions: readonly V[], notes: Notes): readonly V[] {
  if (!type.draftAndPublish) return []
  const drafts = new Set(
    versions.filter(({ status }) => status === 'draft').map((one) => versionKeyText(one.document)),
  )
  const found = versions.filter(
    ({ status, document }) => status === 'published' && !drafts.has(versionKeyText(document)),
  )
  for (const { document } of found)
    notes.adapted(
      `published rows of ${type.uid} without a draft, which get one`,
      keyOf(type.uid, document._id),
      type.uid,
    )
  return found
}

/** Removes and reports published versions that are not valid by the project's definitions. */
async function withoutRefused(
  { notes, check }: ContentParts,
  type: ContentType,
  versions: readonly MadeVersion[],
): Promise<readonly MadeVersion[]> {
  const refused = new Set<string>()
  for (const { document } of versions.filter(({ status }) => status === 'published')) {
    const errors = await check(type, document)
    if (errors.length === 0) continue
    noteRefused(notes, type, document, errors)
    refused.add(versionKeyText(document))
  }
  return versions.flatMap((version) => {
    if (!refused.has(versionKeyText(version.document))) return [version]
    // A draft without a published version does not count as modified.
    const document = { ...version.document, [modifiedField]: undefined }
    return version.status === 'draft' ? [{ ...version, document }] : []
  })
}

/** Reports a version that a unique index rejects. */
export function noteTaken(notes: Notes, type: ContentType, status: Status, id: number): void {
  notes.leftOut(
    `versions in ${collectionOf(type, status)} with a unique value that another version has`,
    String(id),
    type.uid,
  )
}

/**
 * Stores the drafts or the published versions, except those that a unique index rejects. Call it with `draft` first, so
 * that a published version never exists without its draft. Returns the number of stored versions.
 */
async function store(
  db: Db,
  type: ContentType,
  status: Status,
  versions: readonly MadeVersion[],
  notes: Notes,
): Promise<number> {
  const some = versions.filter((version) => version.status === status)
  if (some.length === 0) return 0
  const name = collectionOf(type, status)
  const operations = some.map(
    ({ document: { _id, ...replacement } }): AnyBulkWriteOperation<{ _id: number }> => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    }),
  )
  try {
    await db.collection<{ _id: number }>(name).bulkWrite(operations, { ordered: false })
    return some.length
  } catch (error) {
    const refused = duplicatesIn(error)
    for (const { index } of refused) {
      const version = some[index]
      if (version !== undefined) noteTaken(notes, type, status, version.document._id)
    }
    return some.length - refused.length
  }
}

async function keepLegacyIds(db: Db, rows: readonly ExportedEntity[]): Promise<void> {
  const operations = rows.flatMap(({ type, formerId, data: { documentId, locale } }) => {
    if (formerId === undefined || !isLegacyId(formerId) || typeof documentId !== 'string') return []
    const replacement = { documentId, locale: typeof locale === 'string' ? locale : null }
    const filter = { _id: legacyKey(type, formerId) }
    return [{ replaceOne: { filter, replacement, upsert: true } }]
  })
  if (operations.length > 0) await legacyIds(db).bulkWrite(operations, { ordered: false })
}
