import type { Db } from 'mongodb'
import { asFirstWriter } from '../../database/as-first-writer.js'

type Single = { _id: string; documentId: string }

/** Returns the documentId of a single type; undefined if it has no version yet. */
export async function findSingle(db: Db, collection: string): Promise<string | undefined> {
  const version = await db
    .collection<{ documentId: string }>(collection)
    .findOne({}, { projection: { documentId: 1 } })
  return version?.documentId
}

/**
 * Returns the documentId of a single type. All concurrent first writers get the same one (docs/internals/storage.md,
 * "Rule 6: first writers agree").
 * @param proposed documentId if no other writer has chosen one
 */
export async function openSingle(
  db: Db,
  uid: string,
  collection: string,
  proposed: string,
): Promise<string> {
  const existing = await findSingle(db, collection)
  if (existing !== undefined) return existing
  const singles = db.collection<Single>('_singles')
  const upsert = () =>
    singles.findOneAndUpdate(
      { _id: uid },
      { $setOnInsert: { documentId: proposed } },
      { upsert: true, returnDocument: 'after' },
    )
  const chosen = await asFirstWriter(upsert)
  return chosen?.documentId ?? proposed
}

/** Forgets the documentId of a single type after its last version was deleted. */
export async function closeSingle(db: Db, uid: string, documentId: string): Promise<void> {
  await db.collection<Single>('_singles').deleteOne({ _id: uid, documentId })
}
