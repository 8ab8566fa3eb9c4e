import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { writeConcern } from '../../database/durability.js'
import { modifiedField } from '../../values/modified.js'
import type { Stored } from './write-version.js'

/** A draft with a superfluous `_modified` mark. */
export type AgreedDraft = Readonly<{
  collection: string
  id: number
  /** The mark may only be removed if the draft still has this revision. */
  revision: number
  updatedAt: Date
}>

/** Called for each draft whose `_modified` mark can be removed. Returns at once, because this is background work. */
export type AgreedDrafts = (draft: AgreedDraft) => void

/**
 * Removes the `_modified` marks of drafts that have not changed since they were compared (docs/internals/storage.md,
 * "Modified drafts"). A superfluous mark costs every search for modified drafts one look-up.
 */
export async function takeOffMarks(db: Db, drafts: readonly AgreedDraft[]): Promise<void> {
  const byCollection = new Map<string, AnyBulkWriteOperation<Stored>[]>()
  for (const { collection, id, revision, updatedAt } of drafts) {
    const filter = { _id: id, _revision: revision, updatedAt }
    const operation = { updateOne: { filter, update: { $unset: { [modifiedField]: '' } } } }
    byCollection.set(collection, [...(byCollection.get(collection) ?? []), operation])
  }
  for (const [collection, operations] of byCollection)
    await db
      .collection<Stored>(collection)
      .bulkWrite(operations, { ordered: false, ...(await writeConcern(db, false)) })
}
