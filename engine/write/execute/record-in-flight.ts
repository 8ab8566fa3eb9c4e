import type { UnitOfWork } from '../../database/unit-of-work.js'
import { journalCollection } from '../../database/own-collections.js'
import { insertVersion } from './write-version.js'
import type { AffectedData, SavePlan } from '../plan/write-plan.js'
import type { Versions } from '../change/change.js'
import { newlyListed } from '../plan/plan-relations.js'

/** Creates progress records, which say what a write may leave incomplete if it is interrupted. */
export type WriteJournal = Readonly<{
  /**
   * Returns the `_id` of the record. It names this process, so that other processes find the record after this process
   * has ended.
   */
  add: (affected: AffectedData) => string
}>

/** Stores a progress record. Call this before the first step: the database's journal keeps the order in a crash. */
export async function recordInFlight(
  unit: UnitOfWork,
  log: WriteJournal | undefined,
  affected: AffectedData | undefined,
): Promise<void> {
  if (log === undefined || affected === undefined) return
  await insertVersion(unit, journalCollection, { _id: log.add(affected), ...affected }, false)
}

/** Like `recordInFlight`, for several writes in one transaction. */
export async function recordAllInFlight(
  { db, write }: UnitOfWork,
  writes: readonly Readonly<{ journal: WriteJournal; affected: AffectedData | undefined }>[],
): Promise<void> {
  const notes = writes.flatMap(({ journal: log, affected }) =>
    affected === undefined ? [] : [{ _id: log.add(affected), ...affected }],
  )
  if (notes.length === 0) return
  const collection = db.collection<AffectedData & { _id: string }>(journalCollection)
  await write(false, (options) => collection.insertMany(notes, options))
}

/**
 * Returns what a save may leave incomplete; undefined for most. A publish that is interrupted after it wrote the draft
 * needs no repair: the draft is just not published yet (docs/internals/storage.md, "Records of writes in flight").
 * @param versions the stored versions of the document, as read
 * @param isWhole whether all steps of the save are in one transaction
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
  // A write that creates a locale (`merges`) is recorded even in a transaction, because other processes may write
  // shared values outside a transaction. So a write of shared values need not be recorded if the document has no other
  // locale.
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
