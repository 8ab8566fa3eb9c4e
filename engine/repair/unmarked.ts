import { markDrafts } from './mark-drafts.js'
import type { VersionsCheck } from './plan-repair.js'
import type { DocumentFilter, Repairing } from './repairing.js'

const batchSize = 500

/**
 * Marks modified drafts that lack the mark, and silently removes superfluous marks (docs/internals/storage.md,
 * "Modified drafts"). A mark can be missing if writes of several processes conflicted and one was interrupted.
 */
export async function repairMarks(
  { db, repairs, found, pause }: Repairing,
  check: VersionsCheck,
  only: DocumentFilter = {},
): Promise<void> {
  let after: number | undefined
  do {
    const options = { only, after, limit: batchSize, repairs }
    const { count, last, missing } = await markDrafts(db, check, options)
    for (const documentId of missing)
      found({ kind: 'unmarked', collection: check.drafts, documentId, repaired: repairs })
    after = count < batchSize ? undefined : last
    await pause()
  } while (after !== undefined)
}
