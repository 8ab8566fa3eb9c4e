import type { Versions } from '../change/change.js'
import { newlyListed } from './newly-listed.js'
import type { SavePlan, AffectedData } from './write-plan.js'

/**
 * Returns what a save may leave incomplete; undefined if nothing. An unpublished draft is a draft like any other, and
 * most saves write no other document (docs/storage.md, "Where a repair looks").
 * @param versions of the document, as read
 * @param isWhole whether all its steps are one transaction
 */
export function affectedBy(
  plan: SavePlan,
  uid: string,
  versions: Versions,
  isWhole: boolean,
): AffectedData | undefined {
  const { documentId, locale, merges, shared, settles } = plan
  const hasOthers = [...versions.current, ...versions.published].some(
    (version) => version.locale !== locale,
  )
  // A write that creates another locale meanwhile records it itself, also in a transaction, because others may write
  // one by one.
  const spreads = merges.length > 0 || (!isWhole && shared.length > 0 && hasOthers)
  const lists = isWhole ? [] : listsOf(plan)
  if (!spreads && lists.length === 0 && (isWhole || !settles)) return undefined
  return { uid, documentId, lists }
}

function listsOf(plan: SavePlan): AffectedData['lists'] {
  const byList = new Map<string, AffectedData['lists'][number]>()
  for (const { collection, field, target } of newlyListed(plan)) {
    const key = `${collection} ${field}`
    const targets = [...(byList.get(key)?.targets ?? []), target]
    byList.set(key, { collection, field, targets })
  }
  return [...byList.values()]
}
