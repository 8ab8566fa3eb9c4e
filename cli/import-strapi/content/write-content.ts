import { MongoBulkWriteError, type AnyBulkWriteOperation, type Db } from 'mongodb'
import { actionsOf } from '../../../server/accounts/permission-actions.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../../engine/schema/registry.js'
import { takeId } from '../../../engine/database/take-ids.js'
import { keyOf, type ExportedEntity } from '../archive/exported.js'
import { saveProgress } from '../../import-runner/import-record.js'
import { addMapped, type ExportRecord, type Mapped } from '../export-record.js'
import type { FileRules } from '../media/file-assets.js'
import type { Notes } from '../notes.js'
import { unknownAction } from '../staging/place-link.js'
import { stagedRows } from '../staging/staged.js'
import { adaptRow } from './adapt-row.js'
import { convertRow } from './convert-row.js'
import { findPermissions, findReferences, referencesKey } from './find-references.js'
import { makeVersions, type MadeVersion } from './make-versions.js'
import { ownersIn } from './owners-in.js'
import { isLegacyId, legacyIds, legacyKey } from '../../../server/content/legacy-ids.js'

type ContentParts = Readonly<{
  db: Db
  /** With the folders of the media library. */
  registry: Registry
  record: ExportRecord
  notes: Notes
  files: FileRules
  defaultLocale: string
  exportedAt: Date
  progress: (what: string) => void
}>

const batchDocuments = 100
const batchBytes = 8 * 1024 * 1024

type Group = Readonly<{ documentId: string; rows: ExportedEntity[] }>

/**
 * Makes the entries of what was staged, document by document, in batches that may be repeated: what is written goes by
 * the record ids of the export, and how far it came is noted after each.
 */
export async function writeContent(parts: ContentParts): Promise<Readonly<Record<string, Mapped>>> {
  const { db, registry, record } = parts
  const mapped: Record<string, Mapped> = { ...record.mapped }
  const uids = [...registry.contentTypes.keys()].sort()
  for (const uid of uids.filter((one) => one >= (record.at?.uid ?? ''))) {
    const type = typeOf(registry, uid)
    const after = uid === record.at?.uid ? record.at.documentId : ''
    for await (const batch of batchesOf(parts, type, after)) {
      const written = addMapped(await writeBatch(parts, type, batch), mapped[uid])
      mapped[uid] = written
      const documentId = batch.at(-1)?.documentId ?? ''
      const at = { uid, documentId }
      await saveProgress(db, record, { at, mapped, notes: parts.notes.list() })
      parts.progress(`Writing ${uid}: ${written.documents} documents`)
    }
  }
  return mapped
}

/** Documents of a type with all their rows, so many at a time as fit into memory. */
async function* batchesOf(
  { db }: ContentParts,
  { uid }: ContentType,
  after: string,
): AsyncGenerator<readonly Group[]> {
  let batch: Group[] = []
  let bytes = 0
  const cursor = stagedRows(db)
    .find({ type: uid, documentId: { $gt: after } }, { batchSize: 100 })
    .sort({ documentId: 1, _id: 1 })
  for await (const { documentId, line } of cursor) {
    if (documentId !== batch.at(-1)?.documentId) {
      if (batch.length >= batchDocuments || bytes >= batchBytes) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push({ documentId, rows: [] })
    }
    batch.at(-1)?.rows.push(JSON.parse(line) as ExportedEntity)
    bytes += line.length
  }
  if (batch.length > 0) yield batch
}

async function writeBatch(
  parts: ContentParts,
  type: ContentType,
  batch: readonly Group[],
): Promise<Mapped> {
  const { db, registry, record, notes, files, defaultLocale, exportedAt } = parts
  const rows = batch.flatMap((group) => group.rows)
  const owners = rows.flatMap(({ id, data }) => ownersIn(type, id, data, registry))
  const isMorph = (owner: string, field: string): boolean =>
    structureOf(owner, registry)?.attributes.get(field)?.type === 'morph'
  const references = await findReferences(db, owners, isMorph, notes)
  const actions = await actionsIn(parts, type, rows)
  const context = {
    registry,
    notes,
    referencesOf: (owner: string, field: string) =>
      references.get(referencesKey(owner, field)) ?? [],
    componentIdOf: (uid: string, id: number) => (record.componentsFrom[uid] ?? 0) + id,
  }
  const adapting = { notes, files, actionsOf: (role: string) => actions.get(role) ?? [] }
  const contentOf = (row: ExportedEntity) =>
    adaptRow(row, convertRow(type, row.data, row.id, context), adapting)
  const versions = batch.flatMap((group) =>
    makeVersions(type, group.rows, { registry, notes, defaultLocale, exportedAt, contentOf }),
  )
  const all = [...versions, ...(await missingDrafts(parts, type, versions))]
  await store(db, all, notes)
  await keepLegacyIds(db, rows)
  const drafts = all.filter(({ status }) => status === 'draft').length
  return {
    rows: rows.length,
    documents: batch.length,
    drafts,
    published: all.length - drafts,
  }
}

const structureOf = (owner: string, { contentTypes, components }: Registry) => {
  const uid = owner.replace(/:\d+$/, '')
  return contentTypes.get(uid) ?? components.get(uid)
}

/** What roles may do here; what Strapi's may do besides is told. */
async function actionsIn(
  { db, registry, notes }: ContentParts,
  { uid }: ContentType,
  rows: readonly ExportedEntity[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (uid !== builtIn.role) return new Map()
  const known = new Set(actionsOf(registry).map(({ id }) => id))
  const found = await findPermissions(
    db,
    rows.map(({ id }) => keyOf(uid, id)),
  )
  return new Map(
    [...found].map(([role, actions]) => {
      for (const action of actions)
        if (!known.has(action)) notes.leftOut(unknownAction(action), role)
      return [role, [...new Set(actions.filter((action) => known.has(action)))]]
    }),
  )
}

/** A published version without its draft is a leftover here: it gets one, as Strapi's migrations give it one. */
async function missingDrafts(
  { db, notes }: ContentParts,
  type: ContentType,
  versions: readonly MadeVersion[],
): Promise<readonly MadeVersion[]> {
  if (!type.draftAndPublish) return []
  const keyOfVersion = ({ document: { documentId, locale } }: MadeVersion): string =>
    `${documentId} ${locale ?? ''}`
  const drafts = new Set(versions.filter(({ status }) => status === 'draft').map(keyOfVersion))
  const made: MadeVersion[] = []
  for (const version of versions) {
    if (version.status === 'draft' || drafts.has(keyOfVersion(version))) continue
    const { documentId, locale, _id } = version.document
    const collection = `${version.collection}.draft`
    const there = await db
      .collection<{ _id: number }>(collection)
      .findOne({ documentId, locale }, { projection: { _id: 1 } })
    notes.adapted(
      `published rows of ${type.uid} without a draft, which get one`,
      `${type.uid}:${_id}`,
    )
    const draft = {
      ...Object.fromEntries(
        Object.entries(version.document).filter(([field]) => field !== '_publishedFrom'),
      ),
      documentId,
      locale,
      publishedAt: null,
      _id: there?._id ?? (await takeId(db, type.uid)),
    }
    made.push({ collection, status: 'draft', document: draft })
  }
  return made
}

/** Replaces what an earlier try wrote. */
async function store(db: Db, versions: readonly MadeVersion[], notes: Notes): Promise<void> {
  // Drafts first, as with every write: nobody takes a published version for one without.
  const names = [...new Set(versions.map(({ collection }) => collection))].sort(
    (a, b) => Number(b.endsWith('.draft')) - Number(a.endsWith('.draft')),
  )
  for (const name of names) {
    const some = versions.filter(({ collection }) => collection === name)
    const operations = some.map(
      ({ document: { _id, ...replacement } }): AnyBulkWriteOperation<{ _id: number }> => ({
        replaceOne: { filter: { _id }, replacement, upsert: true },
      }),
    )
    try {
      await db.collection<{ _id: number }>(name).bulkWrite(operations, { ordered: false })
    } catch (error) {
      noteRefused(error, name, some, notes)
    }
  }
}

/** What a unique index refuses is left out; whatever else goes wrong ends the import. */
function noteRefused(
  error: unknown,
  name: string,
  versions: readonly MadeVersion[],
  notes: Notes,
): void {
  if (!(error instanceof MongoBulkWriteError)) throw error
  const failures = [error.writeErrors].flat()
  if (failures.length === 0 || failures.some(({ code }) => code !== duplicateKey)) throw error
  for (const { index } of failures)
    notes.leftOut(
      `versions in ${name} with a value that another one has, and that is unique`,
      String(versions[index]?.document._id),
    )
}

const duplicateKey = 11000

/** Keeps by which ids rows were known before, where they were known by others. */
async function keepLegacyIds(db: Db, rows: readonly ExportedEntity[]): Promise<void> {
  const operations = rows.flatMap(({ type, formerId, data: { documentId, locale } }) => {
    if (formerId === undefined || !isLegacyId(formerId) || typeof documentId !== 'string') return []
    const replacement = { documentId, locale: typeof locale === 'string' ? locale : null }
    const filter = { _id: legacyKey(type, formerId) }
    return [{ replaceOne: { filter, replacement, upsert: true } }]
  })
  if (operations.length > 0) await legacyIds(db).bulkWrite(operations, { ordered: false })
}
