import { beginRun } from '../../database/durability.js'
import { modifiedField } from '../../values/modified.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'

export type Unpublish = Readonly<{
  draftCollection: string
  collection: string
  documentId: string
  locale: string | null
  /** `ifRevision` is the draft's revision as read, `revision` its new one. */
  ifRevision: number
  revision: number
  /** Whether the draft is marked as modified. An unpublished draft needs no mark. */
  isMarked: boolean
}>

/**
 * Removes the published version and keeps the draft. The revision of the unpublish, stored in the draft, tells a
 * concurrent publish that read the draft earlier to remove its published version again.
 * @returns false if another write has changed the draft since it was read
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
