import type { ListedCheck } from './plan-repair.js'
import { relist } from './relist.js'
import type { Repairing } from './repairing.js'

const batchSize = 500

/**
 * Repairs the lists of references of a collection (docs/storage.md, "References"). Only programs other than Quire may
 * leave them wrong.
 */
export async function repairListed(
  { db, repairs, found, pause }: Repairing,
  check: ListedCheck,
): Promise<void> {
  let after: number | undefined
  do {
    const { count, last, wrong } = await relist(db, check, { after, limit: batchSize, repairs })
    for (const documentId of wrong)
      found({
        kind: 'references-differ',
        collection: check.collection,
        documentId,
        repaired: repairs,
      })
    after = count < batchSize ? undefined : last
    await pause()
  } while (after !== undefined)
}
