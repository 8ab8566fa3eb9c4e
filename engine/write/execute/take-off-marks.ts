import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { writeConcern } from '../../database/durability.js'
import { modifiedField } from '../../values/modified.js'
import type { Stored } from '../plan/version-step.js'

/** A draft that is marked as modified, although it equals its published version or has none. */
export type AgreedDraft = Readonly<{
  collection: string
  id: number
  /**
   * Revision that the draft had when it was compared. The mark may be removed only if the draft still has this
   * revision.
   */
  revision: number
  updatedAt: Date
}>

/**
 * Called for each draft whose `_modified` mark can be removed. Returns at once; the mark is removed in the background.
 */
export type AgreedDrafts = (draft: AgreedDraft) => void

/**
 * Removes the `_modified` marks of drafts that have not changed since they were compared (docs/internals/storage.md, "Modified
 * drafts"). Sends one command for each collection. A superfluous mark costs every search for modified drafts one
 * look-up.
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
