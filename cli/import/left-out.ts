import type { Collection, Db, Document } from 'mongodb'
import { isScalar } from '../../engine/schema/attribute.js'
import { collectionOf, type ContentType } from '../../engine/schema/content-type.js'
import { batchesOf } from '../../engine/values/batches.js'
import { modifiedField } from '../../engine/values/modified.js'
import { versionKeyText, type VersionKey } from '../../engine/values/stored-types.js'
import { textLinesOf } from '../../server/backup/archive/read-lines.js'
import {
  documentOfLine,
  maxDocumentLine,
  plainDocumentOf,
} from '../../server/backup/document-lines.js'
import { readArchive } from '../../server/backup/read-archive.js'
import type { RowError, VersionCheck } from '../import-runner/check-versions.js'
import { onProgress } from '../progress.js'
import type { Overview } from './archive-overview.js'
import type { Renaming } from './rename-archive.js'

/** A published version that is not imported, because it is not valid by the project's definitions. */
export type LeftOut = Readonly<{
  uid: string
  documentId: string
  locale: string | null
  /** The place in the archive: `entries/api::dish.dish/published/00001.jsonl:17`. */
  row: string
  isDraft: boolean
  /** Whether the draft was changed after publication, so that its values differ from this version's. */
  isModified: boolean
  /** The errors of the version, limited to `maxErrorBytes`, because the record of the import contains them. */
  errors: readonly RowError[]
  moreErrors: number
}>

/** Maximum total size of a version's errors, in bytes. */
const maxErrorBytes = 16 * 1024
/** Longer messages are cut off, because some list all values of an enumeration. */
const maxMessage = 1000

function firstErrors(all: readonly RowError[]): Pick<LeftOut, 'errors' | 'moreErrors'> {
  const errors: RowError[] = []
  let bytes = 0
  for (const { path, message } of all) {
    const shown = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message
    bytes += Buffer.byteLength(path) + Buffer.byteLength(shown)
    if (bytes > maxErrorBytes) break
    errors.push({ path, message: shown })
  }
  return { errors, moreErrors: all.length - errors.length }
}

type Parts = Readonly<{
  db: Db
  overview: Overview
  /** The types whose versions were validated during the import. */
  types: readonly ContentType[]
  check: VersionCheck
  renaming: Renaming
}>

const batchSize = 500

/**
 * Returns the published versions that were not imported, and marks their drafts as unpublished. Call this after all
 * valid versions were written. Safe to repeat.
 */
export async function findLeftOut(parts: Parts): Promise<readonly LeftOut[]> {
  const { db, overview, types, check, renaming } = parts
  const leftOut: LeftOut[] = []
  const short = new Map<string, ContentType>()
  for (const type of types) {
    const there = await db.collection(collectionOf(type, 'published')).countDocuments()
    if (there < (overview.end.entries[type.uid]?.published ?? 0)) short.set(type.uid, type)
  }
  if (short.size === 0) return leftOut
  onProgress('Listing versions that the definitions do not allow')
  await readArchive(overview.file, async ({ member: archived, file }) => {
    const member = renaming.member(archived)
    if (member.kind !== 'entries' || member.status !== 'published') return
    const type = short.get(member.uid)
    if (type === undefined) return
    const collection = db.collection<Published>(collectionOf(type, 'published'))
    const drafts = db.collection(collectionOf(type, 'draft'))
    const lines = textLinesOf(file, maxDocumentLine)
    for await (const batch of batchesOf(lines, batchSize, ({ text }) => text.length)) {
      const read = batch.map((line) => {
        const version = renaming.version(type, documentOfLine(line))
        return { row: line.place, version, published: plainDocumentOf(version) as Published }
      })
      const missing = await findMissing(collection, read)
      const entries = missing.map(({ published }) => published)
      const isDraft = type.draftAndPublish
      const draftTimes = await timesOfDrafts(drafts, isDraft ? entries : [])
      for (const { row, version, published } of missing) {
        const { documentId, locale, updatedAt } = published
        const wrong = await check(type, version)
        const errors = wrong.length > 0 ? wrong : await findTaken(collection, type, version)
        const time = draftTimes.get(versionKeyText(published))
        const isModified = time !== undefined && time > updatedAt
        const { uid } = type
        leftOut.push({ uid, documentId, locale, row, isDraft, isModified, ...firstErrors(errors) })
      }
      if (isDraft && entries.length > 0) await unpublish(drafts, entries)
    }
  })
  return leftOut
}

type Published = Document & VersionKey & Readonly<{ _id: number; updatedAt: Date }>

async function findMissing<T extends Readonly<{ published: Published }>>(
  collection: Collection<Published>,
  read: readonly T[],
): Promise<readonly T[]> {
  const _id = { $in: read.map(({ published }) => published._id) }
  const found = await collection.find({ _id }, { projection: { _id: 1 } }).toArray()
  const there = new Set(found.map((one) => one._id))
  return read.filter(({ published }) => !there.has(published._id))
}

/** Returns when the draft of each entry was last saved. */
async function timesOfDrafts(
  drafts: Collection,
  entries: readonly Published[],
): Promise<ReadonlyMap<string, Date>> {
  if (entries.length === 0) return new Map()
  const documentId = { $in: entries.map((entry) => entry.documentId) }
  const found = await drafts
    .find<Published>({ documentId }, { projection: { documentId: 1, locale: 1, updatedAt: 1 } })
    .toArray()
  return new Map(found.map((draft) => [versionKeyText(draft), draft.updatedAt]))
}

/** Returns an error for each unique attribute whose value another entry uses. */
async function findTaken(
  collection: Collection<Published>,
  type: ContentType,
  version: Document,
): Promise<readonly RowError[]> {
  const errors: RowError[] = []
  for (const attribute of type.attributes.values()) {
    const value: unknown = version[attribute.storedAs]
    if (!isScalar(attribute) || !attribute.unique || (value ?? null) === null) continue
    const filter: Document = {
      [attribute.storedAs]: { $eq: value },
      locale: { $eq: version.locale as string | null },
    }
    const taken = await collection.findOne(filter, { projection: { documentId: 1 } })
    if (taken === null) continue
    const message = `This attribute must be unique, and ${taken.documentId} has the same value`
    errors.push({ path: attribute.name, message })
  }
  return errors
}

/** Changes drafts in the same way as unpublishing their entries. */
async function unpublish(drafts: Collection, entries: readonly VersionKey[]): Promise<void> {
  await drafts.bulkWrite(
    entries.map(({ documentId, locale }) => ({
      updateOne: {
        filter: { documentId, locale },
        update: [{ $set: { _unpublishedFrom: '$_revision' } }, { $unset: modifiedField }],
      },
    })),
  )
}
