import type { Db, Document, WriteConcernOptions } from 'mongodb'
import type { SavePlan } from '../plan/write-plan.js'
import { writeConcern } from './write-concern.js'
import { refusedIndex } from './write-duplicate.js'
import { executeMerge, executeShared } from './write-shared.js'

type Stored = Document & { _id: number; _revision: number }

/**
 * Gives all locales of a document what they have in common. Where a unique index refuses it in one of
 * them, the others get back what they had, if nobody wrote it meanwhile.
 * @returns the fields of the index that refused
 */
export async function executeLocales(
  db: Db,
  { documentId, locale, merges, shared, sharedUnique, now }: SavePlan,
  concern: () => Promise<WriteConcernOptions>,
): Promise<readonly string[] | undefined> {
  const place = { documentId, locale, now }
  const undo: (() => Promise<void>)[] = []
  try {
    for (const merge of merges) await executeMerge(db, merge, place)
    for (const write of shared) {
      if (sharedUnique) undo.push(await undoing(db, write, documentId, locale))
      await executeShared(db, write, place, await concern())
    }
    return undefined
  } catch (error) {
    const refused = refusedIndex(error)
    if (refused === undefined) throw error
    for (const step of undo.toReversed()) await step()
    return refused
  }
}

/** Remembers what a write replaces in other locales; each value comes back where its stamp is still that of the write. */
async function undoing(
  db: Db,
  { collection, stamps }: SavePlan['shared'][number],
  documentId: string,
  locale: string | null,
): Promise<() => Promise<void>> {
  const versions = db.collection<Stored>(collection)
  const others = await versions
    .find({ documentId, locale: { $ne: locale } }, { promoteLongs: false })
    .toArray()
  return async () => {
    for (const other of others)
      for (const [field, stamp] of Object.entries(stamps)) {
        const before = (other['_stamps'] as Record<string, number> | undefined)?.[field] ?? 0
        if (Number(before) >= stamp) continue
        await versions.updateOne(
          { _id: other._id, [`_stamps.${field}`]: stamp },
          {
            $set: { [field]: other[field] as unknown, [`_stamps.${field}`]: before },
            $inc: { _revision: 1 },
          },
          await writeConcern(db, true),
        )
      }
  }
}
