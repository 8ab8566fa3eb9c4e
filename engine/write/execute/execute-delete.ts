import type { Db } from 'mongodb'
import { beginRun } from '../../database/durability.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { oneByOne } from '../../database/unit-of-work.js'
import { combine } from '../load/combine.js'
import { oneOf } from '../load/expressions.js'
import type { DeletePlan, ReferenceRemoval } from '../plan/plan-removal.js'

/**
 * Maximum number of versions of other documents that a transaction changes. If there are more, all are changed after
 * the transaction.
 */
export const maxTogether = 1000

export type DeleteResult = 'deleted' | 'stale'

/**
 * Removes versions of a document, the draft first, because it decides whether the document exists
 * (docs/internals/storage.md, "Rule 4: the draft is deleted first").
 * @returns `stale` and deletes nothing if the draft or only version is not as the plan requires
 */
export async function executeDelete(unit: UnitOfWork, plan: DeletePlan): Promise<DeleteResult> {
  const { documentId, locale, collections, ifRevision, ifUpdatedAt } = plan
  const filter = { documentId, ...(locale === '*' ? {} : { locale }) }
  const [authority = '', ...others] = collections
  const { db } = unit
  const isOnly = others.length === 0
  const run = await beginRun(db)
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
  } else await deleteVersions(unit, authority, plan, isOnly)
  for (const collection of others) await deleteVersions(unit, collection, plan, true)
  run.check()
  return 'deleted'
}

/** Deletes versions without a condition. Concurrent deletes share one command and one wait for the journal. */
async function deleteVersions(
  unit: UnitOfWork,
  name: string,
  { documentId, locale }: Pick<DeletePlan, 'documentId' | 'locale'>,
  isLast: boolean,
): Promise<void> {
  const ofLocale = locale === '*' ? {} : { locale }
  const remove = combine<string, true>(
    unit,
    `delete ${isLast ? 'last ' : ''}${locale ?? 'null'} in ${name}`,
    async (documentIds, by) => {
      const filter = { documentId: oneOf(documentIds), ...ofLocale }
      await by.write(isLast, (options) => by.db.collection(name).deleteMany(filter, options))
      return documentIds.map(() => true)
    },
    { maxKeys: 100 },
  )
  await remove(documentId)
}

/** Removes all references to a deleted document, after the transaction if too many versions contain them. */
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

/** Versions per command. The database needs a few milliseconds for so many. */
const batchSize = 200

/**
 * Removes references in batches outside of the transaction. The removal can be interrupted and started again.
 * @param pause called after each batch; throws to interrupt the removal
 */
export async function removeInBatches(
  db: Db,
  { collection, filter, update }: ReferenceRemoval,
  pause: () => Promise<void>,
): Promise<void> {
  const unit = oneByOne(db)
  const cursor = db
    .collection(collection)
    .find(filter, { projection: { _id: 1 }, readPreference: 'primary', batchSize })
  try {
    while (await cursor.hasNext()) {
      const ids = cursor.readBufferedDocuments().map(({ _id }) => _id)
      const some = { $and: [{ _id: { $in: ids } }, filter] }
      await unit.write(true, (options) =>
        db.collection(collection).updateMany(some, [...update], options),
      )
      await pause()
    }
  } finally {
    await cursor.close()
  }
}
