import type { Db } from 'mongodb'
import type { ReferenceRemoval } from '../write/steps/plan-removal.js'
import { removeInBatches } from '../write/steps/execute-delete.js'
import type { Repairing } from './repairing.js'

/** Where documents are to be looked for, and how those that are gone are taken out of everything. */
export type GoneCheck = Readonly<{
  /** The collection in which they exist. */
  authority: string
  removalsOf: (documentIds: readonly string[]) => readonly ReferenceRemoval[]
}>

/** Takes those of some documents that are gone out of what refers to them, which is the last part of their delete. */
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
 * The same where nothing should refer to them any more, and tells of what does: a delete was cut off, or somebody
 * connected what was being deleted.
 */
export async function repairGone(
  { db, mends, found, pause }: Repairing,
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
    // Most often nothing refers to any of them.
    if (!(await isLeft(removal))) continue
    for (const documentId of gone) {
      const [one = removal] = removalsOf([documentId]).slice(at, at + 1)
      const { collection } = one
      if (!(await isLeft(one))) continue
      if (mends) await removeInBatches(db, one, pause)
      found({ kind: 'missing-target', collection, documentId, repaired: mends })
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
