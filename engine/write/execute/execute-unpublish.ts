import { beginRun } from '../../database/durability.js'
import { modifiedField } from '../../values/modified.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'

export type Unpublish = Readonly<{
  draftCollection: string
  collection: string
  documentId: string
  locale: string | null
  /** The draft's revision as read. `revision` is its new one. */
  ifRevision: number
  revision: number
  /** Whether the draft is marked as modified. After the unpublish it needs no mark. */
  isMarked: boolean
}>

/**
 * Removes the published version and keeps the draft. The draft stores the revision of the unpublish. A concurrent
 * publish that has read the draft before finds it and removes its published version again.
 * @returns false if the draft was written since it was read
 */
export async function executeUnpublish(unit: UnitOfWork, unpublish: Unpublish): Promise<boolean> {
  const { draftCollection, collection, documentId, locale, ifRevision, revision } = unpublish
  const mark = unit.isTransaction && unpublish.isMarked ? { [modifiedField]: null } : {}
  const { db } = unit
  const run = await beginRun(db)
  const { matchedCount } = await unit.write(false, (options) =>
    db
      .collection(draftCollection)
      .updateOne(
        { documentId, locale, _revision: ifRevision },
        { $set: { _revision: revision, _unpublishedFrom: revision, ...mark } },
        options,
      ),
  )
  if (matchedCount === 0) return false
  await unit.write(true, (options) =>
    db
      .collection(collection)
      .deleteOne({ documentId, locale, _publishedFrom: { $not: { $gt: revision } } }, options),
  )
  run.check()
  return true
}
