import type { LocalizedCheck } from './plan-repair.js'
import type { Repairing } from './repairing.js'
import { batches } from './repairing.js'
import { writeConcern } from '../database/durability.js'

type Left = Readonly<{ _id: number; documentId: string; _revision?: number }>

/**
 * Removes the remains of a deleted locale: versions whose writers were interrupted before they could undo them. The
 * deletion found the locale empty and closed to writes, so none of these versions was ever acknowledged. The check
 * looks up the locale after it has read the versions. If the locale was created again, the versions may belong to the
 * new locale.
 * @param settle called with the documents that have lost a version
 */
export async function repairLeftLocale(
  repairing: Repairing,
  { collections, locales }: LocalizedCheck,
  locale: string,
  settle: (documentIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const { db, repairs, found } = repairing
  for (const collection of collections) {
    const cursor = db
      .collection<Left>(collection)
      .find({ locale }, { projection: { documentId: 1, _revision: 1 } })
      .sort({ _id: 1 })
    for await (const batch of batches(cursor, repairing)) {
      if ((await db.collection(locales).findOne({ code: locale })) !== null) return
      for (const left of batch)
        if (!repairs || (await remove(repairing, collection, left)))
          found({
            kind: 'without-locale',
            collection,
            documentId: left.documentId,
            repaired: repairs,
          })
      await settle(batch.map(({ documentId }) => documentId))
    }
  }
}

/** Removes a version, unless it was written since. */
async function remove(
  { db }: Repairing,
  collection: string,
  { _id, _revision }: Left,
): Promise<boolean> {
  const { deletedCount } = await db
    .collection<Left>(collection)
    .deleteOne({ _id, _revision: _revision ?? null } as Partial<Left>, await writeConcern(db, true))
  return deletedCount > 0
}

/**
 * Reports content in locales that do not exist, and keeps it. Without an entry in the in-flight log, the content may
 * have been acknowledged. For example, someone removed the locale by hand, or copied the content without its locales.
 */
export async function findStranded(
  repairing: Repairing,
  { collections, locales }: LocalizedCheck,
): Promise<void> {
  const { db, found } = repairing
  const known = await db
    .collection<Readonly<{ code: string }>>(locales)
    .find({}, { projection: { code: 1 } })
    .toArray()
  // There are no locales before the first start.
  if (known.length === 0) return
  const isStranded = { locale: { $nin: [null, ...known.map(({ code }) => code)] } }
  for (const collection of collections) {
    const cursor = db
      .collection<Left>(collection)
      .find(isStranded, { projection: { documentId: 1 } })
      .sort({ _id: 1 })
    for await (const batch of batches(cursor, repairing))
      for (const { documentId } of batch)
        found({ kind: 'without-locale', collection, documentId, repaired: false })
  }
}
