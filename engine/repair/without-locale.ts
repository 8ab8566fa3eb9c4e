import type { LocalizedCheck } from './plan-repair.js'
import type { Repairing } from './repairing.js'
import { batches } from './repairing.js'
import { writeConcern } from '../database/durability.js'

type Left = Readonly<{ _id: number; documentId: string; _revision?: number }>

/**
 * Removes what a locale that was deleted still has: versions of writers that were cut off before they could take them
 * back. The deletion had seen the locale empty and closed, so nothing of it was ever acknowledged. The locale is
 * looked for after the versions were seen: where it was made anew, they may be what was written in the new one.
 * @param settle is given the documents of which a version was removed
 */
export async function repairLeftLocale(
  repairing: Repairing,
  { collections, locales }: LocalizedCheck,
  locale: string,
  settle: (documentIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const { db, mends, found } = repairing
  for (const collection of collections) {
    const cursor = db
      .collection<Left>(collection)
      .find({ locale }, { projection: { documentId: 1, _revision: 1 } })
      .sort({ _id: 1 })
    for await (const batch of batches(cursor, repairing)) {
      if ((await db.collection(locales).findOne({ code: locale })) !== null) return
      for (const left of batch)
        if (!mends || (await remove(repairing, collection, left)))
          found({
            kind: 'without-locale',
            collection,
            documentId: left.documentId,
            repaired: mends,
          })
      await settle(batch.map(({ documentId }) => documentId))
    }
  }
}

/** One that was written since is somebody's. */
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
 * Tells of content in locales that there are not. It is left as it is: without a note nobody knows whether it was
 * acknowledged, by a locale that a person took away by hand, or by a copy without its locales.
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
  // Nothing is known before the first start.
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
