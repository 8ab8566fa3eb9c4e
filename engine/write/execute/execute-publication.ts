import type { Document } from 'mongodb'
import type { Publication, SavePlan } from '../plan/write-plan.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { asStored, insertVersion } from './insert-version.js'
import { nextRevision, stampOf } from '../load/expressions.js'
import { withReferences, writtenReferences } from '../plan/keep-references.js'
import { updateVersion } from './update-version.js'
import type { VersionStep } from '../plan/version-step.js'
import type { FieldReferences, FieldUniques } from '../../database/list-references.js'
import { listReferences, listUniques } from '../../database/list-references.js'
import type { ReferencePlaces } from '../../values/references.js'
import { referencesUnder } from '../../values/references.js'
import type { Fields, VersionKey } from '../../values/stored-types.js'
import { listedUnder, listOf } from '../../values/unique-list.js'

type Published = Document & { _id: number; _revision: number }

export type PublicationResult = Readonly<{
  id: number
  revision: number
  /** The version as stored now, if known. */
  stored?: Uint8Array
  /**
   * Whether the write changed the published version exactly as it was read. If so, an unpublish that read the old
   * version also removes the new one.
   */
  isAsRead?: boolean
}>

/**
 * Copies the draft to the published version. Does not change a version that was published from a later draft. So the
 * latest of several concurrent publishes wins, in whatever order the processes run (docs/storage.md, "Rule 3:
 * publishing goes forward only"). `_publishedFrom` holds the draft's revision. The published version's `_revision`
 * cannot be compared with it, because it also rises by writes from another locale or from the inverse side of a
 * relation.
 * @returns `late` if the published version of a conditional write has changed since it was read. A version that was
 * published from this write's draft or a later one is not `late`
 * @throws the driver's error if a unique index refuses
 */
export async function executePublication(
  unit: UnitOfWork,
  publication: Publication,
  { documentId, locale, revision, places }: SavePlan,
  isLast: boolean,
): Promise<PublicationResult | 'late'> {
  const collection = unit.db.collection<Published>(publication.collection)
  const update = () =>
    unit.write(isLast, (options) =>
      collection.findOneAndUpdate(
        { documentId, locale, _publishedFrom: { $not: { $gte: revision } } },
        [{ $set: updateOf(publication, revision, places) }],
        { returnDocument: 'after', projection: { _revision: 1 }, ...options },
      ),
    )
  // Insert a missing version. Apply only the difference to an unchanged one. Otherwise the guards of `update` decide.
  if (publication.previous !== null) {
    const difference = await updateAsRead(unit, publication, places, isLast)
    if (difference !== null) return difference
    if (
      publication.conditional &&
      (await isLate(unit, publication, { documentId, locale }, revision))
    )
      return 'late'
    const updated = await update()
    if (updated !== null) return resultOf(updated)
    // It was published from a later draft, and within a transaction no other write can remove it.
    if (unit.isTransaction) return resultOf(publication.previous as Published)
  }
  const inserted = await insert(unit, publication, places, isLast)
  if (inserted !== null) return inserted
  const later =
    (await update()) ??
    (await unit.read((options) =>
      collection.findOne({ documentId, locale }, { projection: { _revision: 1 }, ...options }),
    ))
  return later === null ? { id: publication.id, revision } : resultOf(later)
}

/** Whether the published version was written from an earlier draft than this write's. A removed version is not late. */
async function isLate(
  unit: UnitOfWork,
  { collection }: Publication,
  version: VersionKey,
  revision: number,
): Promise<boolean> {
  const now = await unit.read((options) =>
    unit.db
      .collection(collection)
      .findOne({ ...version }, { projection: { _publishedFrom: 1 }, ...options }),
  )
  return now !== null && Number(now['_publishedFrom'] ?? 0) < revision
}

/** Returns the published version to insert if there is none yet. */
export function insertedPublication(
  { id, fields, stamps, uniques }: Publication,
  places: ReferencePlaces,
): Published {
  const _stamps = Object.keys(stamps).length === 0 ? {} : { _stamps: stamps }
  const version = { _id: id, ...fields, ..._stamps, ...listOf(uniques) }
  return withReferences(version, places) as Published
}

/** Returns the step that changes the published version if it is unchanged since it was read. */
export function asReadStep(
  previous: Fields,
  difference: Fields,
  places: ReferencePlaces,
): Extract<VersionStep, { kind: 'update' }> {
  const { documentId, locale, _revision } = previous as Published
  return {
    kind: 'update',
    filter: { documentId, locale, _revision },
    update: writtenReferences(previous, difference, places),
  }
}

/**
 * Applies a difference to a version as read: fields, and stamps as `_stamps.title`. Keeps the previous list of
 * references, which is never shown.
 */
export function afterDifference(previous: Fields, difference: Fields): Fields {
  const after: Record<string, unknown> = { ...previous }
  for (const [path, value] of Object.entries(difference)) {
    const [field = '', stamp] = path.split('.')
    after[field] = stamp === undefined ? value : { ...(after[field] as Fields), [stamp]: value }
  }
  return after
}

/** Applies the difference to the version as read. Returns null if the version was written since. */
async function updateAsRead(
  unit: UnitOfWork,
  { collection, id, previous, difference }: Publication,
  places: ReferencePlaces,
  isLast: boolean,
): Promise<PublicationResult | null> {
  if (previous === null || difference === null) return null
  const step = asReadStep(previous, difference, places)
  // If the result is unknown, fall back to the guarded update, which may be applied twice.
  if ((await updateVersion(unit, collection, step, { isLast })) !== true) return null
  const stored = asStored(afterDifference(previous, difference))
  return { id, revision: difference['_revision'] as number, stored, isAsRead: true }
}

/** Inserts the published version. Returns null if there is one after all. */
async function insert(
  unit: UnitOfWork,
  publication: Publication,
  places: ReferencePlaces,
  isLast: boolean,
): Promise<PublicationResult | null> {
  const document = insertedPublication(publication, places)
  try {
    await insertVersion(unit, publication.collection, document, isLast)
    return { id: publication.id, revision: document._revision, stored: asStored(document) }
  } catch (error) {
    if (unit.isTransaction) throw error
    const index = refusedIndex(error)
    if (index?.[0] === 'documentId' || index?.[0] === '_id') return null
    throw error
  }
}

function updateOf(
  { fields, stamps, guarded, uniques }: Publication,
  revision: number,
  places: ReferencePlaces,
): Document {
  const set: Document = {}
  const references: FieldReferences[] = []
  const listed: FieldUniques[] = []
  for (const [field, value] of Object.entries(fields)) {
    const own = { $literal: value }
    // A stored value is newer if another version wrote it after the draft was read.
    const isOurs = { $lte: [stampOf(field), stamps[field] ?? 0] }
    const isGuarded = guarded.includes(field)
    set[field] = isGuarded ? { $cond: [isOurs, own, `$${field}`] } : own
    if (!places.fields.has(field)) continue
    const guard = isGuarded ? { isWritten: isOurs } : {}
    references.push({ field, texts: referencesUnder(field, value, places), ...guard })
    if (uniques?.fields.has(field) === true)
      listed.push({ field, listed: listedUnder(field, uniques.listed), ...guard })
  }
  for (const [field, stamp] of Object.entries(stamps))
    set[`_stamps.${field}`] = { $max: [stampOf(field), stamp] }
  return {
    ...set,
    ...listReferences(references),
    ...listUniques(listed),
    _revision: nextRevision(revision),
  }
}

function resultOf({ _id, _revision }: Published): PublicationResult {
  return { id: _id, revision: _revision }
}
