import type { Db } from 'mongodb'
import { asFirstWriter } from '../../database/as-first-writer.js'

type Single = { _id: string; documentId: string }

/**
 * The documentId of a single type: that of the version that is there, else the one that all first writers
 * agree on (docs/storage.md, "Rule 6: first writers agree").
 */
export async function findSingle(db: Db, collection: string): Promise<string | undefined> {
  const version = await db
    .collection<{ documentId: string }>(collection)
    .findOne({}, { projection: { documentId: 1 } })
  return version?.documentId
}

/** @param proposed documentId to use where none was chosen yet */
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

/** After the last version of a single type was deleted, the next one is another document. */
export async function closeSingle(db: Db, uid: string, documentId: string): Promise<void> {
  await db.collection<Single>('_singles').deleteOne({ _id: uid, documentId })
}
