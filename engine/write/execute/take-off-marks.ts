import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { writeConcern } from '../../database/durability.js'
import { modifiedField } from '../../values/modified.js'
import type { Stored } from '../plan/version-step.js'

/** A marked draft that equals its published version, or has no published version, as of `revision`. */
export type AgreedDraft = Readonly<{
  collection: string
  id: number
  /** Revision at the time of the comparison. */
  revision: number
  updatedAt: Date
}>

/** Called for drafts whose mark can be removed; returns at once. */
export type AgreedDrafts = (draft: AgreedDraft) => void

/**
 * Removes the marks of drafts that are unchanged since they were compared (docs/storage.md, "Modified drafts"), by one
 * command for each collection. A mark that stays costs every reader a look-up.
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
