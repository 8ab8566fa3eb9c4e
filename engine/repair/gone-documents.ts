import type { Db } from 'mongodb'
import type { ReferenceRemoval } from '../write/plan/plan-removal.js'
import { removeInBatches } from '../write/execute/execute-delete.js'
import type { Repairing } from './repairing.js'

/** Where to check whether documents exist, and how to remove references to missing ones. */
export type GoneCheck = Readonly<{
  authority: string
  removalsOf: (documentIds: readonly string[]) => readonly ReferenceRemoval[]
}>

/** Removes all references to those of the given documents that no longer exist. This is the last step of a delete. */
export async function removeGone(
  { db, pause }: Pick<Repairing, 'db' | 'pause'>,
  { authority, removalsOf }: GoneCheck,
  documentIds: readonly string[],
): Promise<void> {
  const gone = await findGone(db, authority, documentIds)
  if (gone.length === 0) return
  for (const removal of removalsOf(gone)) await removeInBatches(db, removal, pause)
}

/**
 * Reports the references to documents that no longer exist, and removes them if `repairs` is set. They remain if a
 * delete was interrupted, or if a concurrent write connected the document. Call this only after deletes have had time
 * to remove them.
 */
export async function repairGone(
  { db, repairs, found, pause }: Repairing,
  { authority, removalsOf }: GoneCheck,
  documentIds: readonly string[],
): Promise<void> {
  const gone = await findGone(db, authority, documentIds)
  if (gone.length === 0) return
  const isLeft = ({ collection, filter }: ReferenceRemoval): Promise<boolean> =>
    db
      .collection(collection)
      .findOne(filter, { projection: { _id: 1 } })
      .then((version) => version !== null)
  for (const [at, removal] of removalsOf(gone).entries()) {
    // Look up the references to all documents in one query first, because usually there are none.
    if (!(await isLeft(removal))) continue
    for (const documentId of gone) {
      const [one = removal] = removalsOf([documentId]).slice(at, at + 1)
      const { collection } = one
      if (!(await isLeft(one))) continue
      if (repairs) await removeInBatches(db, one, pause)
      found({ kind: 'missing-target', collection, documentId, repaired: repairs })
    }
  }
}

async function findGone(
  db: Db,
  authority: string,
  documentIds: readonly string[],
): Promise<readonly string[]> {
  const there = await db
    .collection(authority)
    .find(
      { documentId: { $in: documentIds } },
      { projection: { _id: 0, documentId: 1 }, readPreference: 'primary' },
    )
    .toArray()
  const known = new Set(there.map((document) => document['documentId'] as string))
  return documentIds.filter((id) => !known.has(id))
}
