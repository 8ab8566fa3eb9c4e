import type { UnitOfWork } from '../../database/unit-of-work.js'
import { journalCollection } from '../../database/own-collections.js'
import { insertVersion } from './insert-version.js'
import type { AffectedData } from '../plan/write-plan.js'

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

/** What a write is about to change, and where to record it. `affected` is undefined if there is nothing to record. */
export type JournaledWrite = Readonly<{ journal: WriteJournal; affected: AffectedData | undefined }>

/** Like `recordInFlight`, for several writes in one transaction. */
export async function recordAllInFlight(
  { db, write }: UnitOfWork,
  writes: readonly JournaledWrite[],
): Promise<void> {
  const notes = writes.flatMap(({ journal: log, affected }) =>
    affected === undefined ? [] : [{ _id: log.add(affected), ...affected }],
  )
  if (notes.length === 0) return
  const collection = db.collection<AffectedData & { _id: string }>(journalCollection)
  await write(false, (options) => collection.insertMany(notes, options))
}
