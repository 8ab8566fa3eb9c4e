import type { Document } from 'mongodb'
import type { Publication, SavePlan } from '../plan/write-plan.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { asStored, insertVersion, updateVersion, type VersionStep } from './write-version.js'
import { nextRevision, stampOf } from '../load/expressions.js'
import { type ReferencePlaces, withReferences, writtenReferences } from '../../values/references.js'
import type { Fields, VersionKey } from '../../values/stored-types.js'
import { listOf } from '../../values/unique-list.js'
import { laterStamps, setFields } from './execute-shared.js'

type Published = Document & { _id: number; _revision: number }

export type PublicationResult = Readonly<{
  id: number
  revision: number
  /** The published version as stored, if known. */
  stored?: Uint8Array
  /**
   * Whether this write updated the version that it had read. A concurrent unpublish then removes the updated version,
   * too.
   */
  isAsRead?: boolean
}>

/**
 * Copies the draft to the published version, unless the published version was made from a later draft
 * (`_publishedFrom`). So the latest of concurrent publishes wins (docs/internals/storage.md, "Rule 3: publishing goes
 * forward only"). Does not compare the published version's own `_revision`, which also rises when another locale or the
 * inverse side of a relation is written.
 * @returns `late` if the write is conditional and the published version has changed, except by a publish of this draft
 *   or a later one
 * @throws the driver's error if a unique index rejects the version
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
  // If the published version is unchanged since it was read, write only the fields that differ. Otherwise, `update`
  // writes all fields, unless a later draft is already published.
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
    // `update` found no version made from an earlier draft, and a transaction does not see removals by others. So a
    // later draft is already published.
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

/** Whether the published version was made from an older revision of the draft. False if no version is published. */
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

/** Returns the published version in the form in which it is inserted. */
export function insertedPublication(
  { id, fields, stamps, uniques }: Publication,
  places: ReferencePlaces,
): Published {
  const _stamps = Object.keys(stamps).length === 0 ? {} : { _stamps: stamps }
  const version = { _id: id, ...fields, ..._stamps, ...listOf(uniques) }
  return withReferences(version, places) as Published
}

/** Returns the step that updates the published version if it is unchanged since it was read. */
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
 * Applies changed fields, such as `_stamps.title`, to a version as read. Responses never contain the list of
 * references, so it stays unchanged.
 */
export function afterDifference(previous: Fields, difference: Fields): Fields {
  const after: Record<string, unknown> = { ...previous }
  for (const [path, value] of Object.entries(difference)) {
    const [field = '', stamp] = path.split('.')
    after[field] = stamp === undefined ? value : { ...(after[field] as Fields), [stamp]: value }
  }
  return after
}

/** Writes only the changed fields, unless the version has changed since it was read. */
async function updateAsRead(
  unit: UnitOfWork,
  { collection, id, previous, difference }: Publication,
  places: ReferencePlaces,
  isLast: boolean,
): Promise<PublicationResult | null> {
  if (previous === null || difference === null) return null
  const step = asReadStep(previous, difference, places)
  // If the outcome is unknown, the conditional update follows, which does no harm if it is applied twice.
  if ((await updateVersion(unit, collection, step, { isLast })) !== true) return null
  const stored = asStored(afterDifference(previous, difference))
  return { id, revision: difference['_revision'] as number, stored, isAsRead: true }
}

/** Returns null if another write has inserted the published version. */
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
  // A higher stored stamp means that the stored value was written after the draft was read, so it is kept.
  const isOurs = (field: string): Document | undefined =>
    guarded.includes(field) ? { $lte: [stampOf(field), stamps[field] ?? 0] } : undefined
  return {
    ...setFields(fields, { places, uniques }, isOurs),
    ...laterStamps(stamps),
    _revision: nextRevision(revision),
  }
}

function resultOf({ _id, _revision }: Published): PublicationResult {
  return { id: _id, revision: _revision }
}
