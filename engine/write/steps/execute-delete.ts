import { sameRun } from '../../database/durability.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { DeletePlan } from './plan-delete.js'
import type { ReferenceRemoval } from './plan-removal.js'

/** Versions that one transaction changes beside those that it is about: more are changed after it. */
export const maxTogether = 1000

export type DeleteResult = 'deleted' | 'stale'

/**
 * Removes versions of a document: the draft first, which is the authority, then the published one
 * (docs/storage.md, "Rule 4: the draft is deleted first").
 */
export async function executeDelete(unit: UnitOfWork, plan: DeletePlan): Promise<DeleteResult> {
  const { documentId, locale, collections, ifRevision, ifUpdatedAt } = plan
  const filter = { documentId, ...(locale === '*' ? {} : { locale }) }
  const [authority = '', ...others] = collections
  const { db } = unit
  const isOnly = others.length === 0
  if (ifRevision !== undefined || ifUpdatedAt !== undefined) {
    const guarded = {
      ...filter,
      ...(ifRevision === undefined ? {} : { _revision: ifRevision }),
      ...(ifUpdatedAt === undefined ? {} : { updatedAt: ifUpdatedAt }),
    }
    const { deletedCount } = await unit.write(isOnly, (options) =>
      db.collection(authority).deleteOne(guarded, options),
    )
    if (deletedCount === 0) return 'stale'
  } else await unit.write(isOnly, (options) => db.collection(authority).deleteMany(filter, options))
  const checkRun = await sameRun(db)
  for (const collection of others)
    await unit.write(true, (options) => db.collection(collection).deleteMany(filter, options))
  checkRun()
  return 'deleted'
}

/** Whether a document exists in any locale. */
export async function exists(
  { db, read }: UnitOfWork,
  collection: string,
  documentId: string,
): Promise<boolean> {
  const found = await read((options) =>
    db.collection(collection).findOne({ documentId }, { projection: { _id: 1 }, ...options }),
  )
  return found !== null
}

/**
 * Takes a document that is gone out of every relation and media field that may refer to it. Where more versions
 * refer to it than a transaction is to change, that is done after it.
 */
export async function executeRemovals(
  unit: UnitOfWork,
  removals: readonly ReferenceRemoval[],
): Promise<void> {
  if (!unit.isTransaction) return removeAll(unit, removals)
  const wanted: ReferenceRemoval[] = []
  let room = maxTogether
  for (const removal of removals) {
    const limit = room + 1
    const count = await unit.read((options) =>
      unit.db.collection(removal.collection).countDocuments(removal.filter, { limit, ...options }),
    )
    if (count > 0) wanted.push(removal)
    room -= count
    if (room < 0) return unit.afterwards((later) => removeAll(later, removals))
  }
  return removeAll(unit, wanted)
}

async function removeAll(unit: UnitOfWork, removals: readonly ReferenceRemoval[]): Promise<void> {
  for (const { collection, filter, update } of removals)
    await unit.write(true, (options) =>
      unit.db.collection(collection).updateMany(filter, [...update], options),
    )
}
