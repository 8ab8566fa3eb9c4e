import type { Db } from 'mongodb'
import type { DeletePlan } from './plan-delete.js'
import type { ReferenceRemoval } from './plan-removal.js'
import { sameRun, writeConcern } from '../../database/durability.js'

export type DeleteResult = 'deleted' | 'stale'

/**
 * Removes versions of a document: the draft first, which is the authority, then the published one
 * (docs/storage.md, "Rule 4: the draft is deleted first").
 */
export async function executeDelete(db: Db, plan: DeletePlan): Promise<DeleteResult> {
  const { documentId, locale, collections, ifRevision, ifUpdatedAt } = plan
  const filter = { documentId, ...(locale === '*' ? {} : { locale }) }
  const [authority = '', ...others] = collections
  const concern = await writeConcern(db, others.length === 0)
  if (ifRevision !== undefined || ifUpdatedAt !== undefined) {
    const guarded = {
      ...filter,
      ...(ifRevision === undefined ? {} : { _revision: ifRevision }),
      ...(ifUpdatedAt === undefined ? {} : { updatedAt: ifUpdatedAt }),
    }
    const { deletedCount } = await db.collection(authority).deleteOne(guarded, concern)
    if (deletedCount === 0) return 'stale'
  } else await db.collection(authority).deleteMany(filter, concern)
  const checkRun = await sameRun(db)
  for (const collection of others)
    await db.collection(collection).deleteMany(filter, await writeConcern(db, true))
  checkRun()
  return 'deleted'
}

/** Whether a document exists in any locale. */
export async function exists(db: Db, collection: string, documentId: string): Promise<boolean> {
  const found = await db.collection(collection).findOne({ documentId }, { projection: { _id: 1 } })
  return found !== null
}

/** Takes a document that is gone out of every relation and media field that may refer to it. */
export async function executeRemovals(
  db: Db,
  removals: readonly ReferenceRemoval[],
): Promise<void> {
  for (const { collection, filter, update } of removals)
    await db.collection(collection).updateMany(filter, [...update], await writeConcern(db, true))
}
