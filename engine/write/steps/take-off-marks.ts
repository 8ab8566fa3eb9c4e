import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { writeConcern } from '../../database/durability.js'
import { modifiedField } from '../../values/modified.js'
import type { Stored } from './version-step.js'

/** A draft that is marked, and agrees with its published version or has none, as long as nobody writes it. */
export type AgreedDraft = Readonly<{
  collection: string
  id: number
  /** As it was when that was seen. */
  revision: number
  updatedAt: Date
}>

/** Told of drafts whose marks can go; it returns at once. */
export type AgreedDrafts = (draft: AgreedDraft) => void

/**
 * Takes the marks of drafts off, where they are as they were when they were seen to agree (docs/storage.md,
 * "Modified drafts"): one command for each collection. A mark that stays costs readers a look.
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
