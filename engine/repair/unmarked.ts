import { markDrafts } from './mark-drafts.js'
import type { VersionsCheck } from './plan-repair.js'
import type { Only, Repairing } from './repairing.js'

const batchSize = 500

/**
 * Marks drafts that are modified and are not marked: writers of several processes came in each other's way, and one of
 * them was cut off (docs/storage.md, "Modified drafts"). A mark too many is taken off on the way and is no leftover.
 */
export async function repairMarks(
  { db, mends, found, pause }: Repairing,
  check: VersionsCheck,
  only: Only = {},
): Promise<void> {
  let after: number | undefined
  do {
    const options = { only, after, limit: batchSize, mends }
    const { count, last, missing } = await markDrafts(db, check, options)
    for (const documentId of missing)
      found({ kind: 'unmarked', collection: check.drafts, documentId, repaired: mends })
    after = count < batchSize ? undefined : last
    await pause()
  } while (after !== undefined)
}
