import type { LocalizedCheck } from './plan-repair.js'
import type { Repairing } from './repairing.js'
import { batches } from './repairing.js'
import { writeConcern } from '../database/durability.js'

type Left = Readonly<{ _id: number; documentId: string; _revision?: number }>

/**
 * Removes versions in a deleted locale. The locale was empty and closed to writes when it was deleted, so these
 * versions belong to interrupted writes that were never acknowledged. Stops if the locale exists again. The locale is
 * looked up after each batch is read, so that no version of a new locale is removed.
 * @param settle called with the documentIds of each batch after its versions were removed or reported
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

/** Removes a version, unless it was changed after it was read. */
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
 * Reports versions in locales that are not configured. They may be acknowledged writes, so they are not removed:
 * someone may have deleted the locale directly in the database, or copied the content without its locales.
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
  // No locales are configured before the first start of the server.
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
