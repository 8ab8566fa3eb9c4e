import type { Collection, Db, Document, WriteConcernOptions } from 'mongodb'
import type { Publication, SavePlan } from '../plan/write-plan.js'
import { refusedIndex } from './write-duplicate.js'
import { nextRevision, stampOf } from './write-expressions.js'

type Published = Document & { _id: number; _revision: number }
type Result = Readonly<{ id: number; revision: number }>

/**
 * Makes the published version what the draft is. A version that was published from a later draft is
 * left alone, so that publishes of several processes end with the latest one in every order
 * (`storage.md`, rule 3). `_publishedFrom` holds the draft's revision: the published version's own
 * also rises when another locale or the other side of a relation writes to it.
 * @throws the driver's error where a unique index refuses
 */
export async function executePublication(
  db: Db,
  publication: Publication,
  { documentId, locale, revision }: SavePlan,
  concern: WriteConcernOptions,
): Promise<Result> {
  const collection = db.collection<Published>(publication.collection)
  const update = () =>
    collection.findOneAndUpdate(
      { documentId, locale, _publishedFrom: { $not: { $gte: revision } } },
      [{ $set: updateOf(publication, revision) }],
      { returnDocument: 'after', projection: { _revision: 1 }, ...concern },
    )
  // What was not there is inserted, and what is as it was read gets what differs; else the guards decide.
  const { previous, difference } = publication
  const updated =
    previous === null
      ? null
      : ((await updateAsRead(collection, previous, difference, concern)) ?? (await update()))
  if (updated !== null) return resultOf(updated)
  const inserted = await insert(collection, publication, concern)
  if (inserted !== null) return inserted
  const later =
    (await update()) ??
    (await collection.findOne({ documentId, locale }, { projection: { _revision: 1 } }))
  return later === null ? { id: publication.id, revision } : resultOf(later)
}

/** Null where somebody wrote the version since it was read. */
async function updateAsRead(
  collection: Collection<Published>,
  { documentId, locale, _revision }: Readonly<Record<string, unknown>>,
  difference: Publication['difference'],
  concern: WriteConcernOptions,
): Promise<Published | null> {
  if (difference === null) return null
  return collection.findOneAndUpdate(
    { documentId, locale, _revision: _revision as number },
    { $set: difference },
    { returnDocument: 'after', projection: { _revision: 1 }, ...concern },
  )
}

/** Null where the document has a published version after all. */
async function insert(
  collection: Collection<Published>,
  { id, fields, stamps }: Publication,
  concern: WriteConcernOptions,
): Promise<Result | null> {
  const _stamps = Object.keys(stamps).length === 0 ? {} : { _stamps: stamps }
  const document = { _id: id, ...fields, ..._stamps } as unknown as Published
  try {
    await collection.insertOne(document, concern)
    return { id, revision: document._revision }
  } catch (error) {
    const index = refusedIndex(error)
    if (index?.[0] === 'documentId' || index?.[0] === '_id') return null
    throw error
  }
}

function updateOf({ fields, stamps, guarded }: Publication, revision: number): Document {
  const set: Document = {}
  for (const [field, value] of Object.entries(fields)) {
    const own = { $literal: value }
    // What was written here from elsewhere after the draft was read is newer than the draft as read.
    set[field] = guarded.includes(field)
      ? { $cond: [{ $gt: [stampOf(field), stamps[field] ?? 0] }, `$${field}`, own] }
      : own
  }
  for (const [field, stamp] of Object.entries(stamps))
    set[`_stamps.${field}`] = { $max: [stampOf(field), stamp] }
  return { ...set, _revision: nextRevision(revision) }
}

function resultOf({ _id, _revision }: Published): Result {
  return { id: _id, revision: _revision }
}
