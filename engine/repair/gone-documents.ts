import type { ReferenceRemoval } from '../write/steps/plan-removal.js'
import { oneByOne } from '../database/unit-of-work.js'
import { executeRemovals } from '../write/steps/execute-delete.js'
import type { Repairing } from './repairing.js'

/** Where documents are to be looked for, and how those that are gone are taken out of everything. */
export type GoneCheck = Readonly<{
  /** The collection in which they exist. */
  authority: string
  removalsOf: (documentIds: readonly string[]) => readonly ReferenceRemoval[]
}>

/**
 * Takes those of some documents that are gone out of what refers to them: a delete was cut off, or somebody
 * connected what was being deleted.
 */
export async function repairGone(
  { db, mends, found }: Repairing,
  { authority, removalsOf }: GoneCheck,
  documentIds: readonly string[],
): Promise<void> {
  const there = await db
    .collection(authority)
    .find({ documentId: { $in: documentIds } }, { projection: { _id: 0, documentId: 1 } })
    .toArray()
  const known = new Set(there.map((document) => document['documentId'] as string))
  const gone = documentIds.filter((id) => !known.has(id))
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
      const own = removalsOf([documentId]).slice(at, at + 1)
      const [{ collection } = removal] = own
      if (!(await isLeft(own[0] ?? removal))) continue
      if (mends) await executeRemovals(oneByOne(db), own)
      found({ kind: 'missing-target', collection, documentId, repaired: mends })
    }
  }
}
