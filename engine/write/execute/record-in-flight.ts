import type { UnitOfWork } from '../../database/unit-of-work.js'
import { journalCollection } from '../../database/own-collections.js'
import { insertVersion } from './insert-version.js'
import type { AffectedData } from '../plan/write-plan.js'

/**
 * Creates progress records. A progress record says what a write in flight may leave incomplete if it is interrupted.
 */
export type WriteJournal = Readonly<{
  /**
   * Returns the `_id` under which to store the progress record. The `_id` names this process, so that other processes
   * can find the records after this process has ended.
   */
  add: (affected: AffectedData) => string
}>

/**
 * Stores a progress record of what a write is about to change. Call it before the first step. The database's journal
 * preserves this order, so after a crash no step exists without its record. In a transaction, the record and the write
 * become visible together.
 */
export async function recordInFlight(
  unit: UnitOfWork,
  log: WriteJournal | undefined,
  affected: AffectedData | undefined,
): Promise<void> {
  if (log === undefined || affected === undefined) return
  await insertVersion(unit, journalCollection, { _id: log.add(affected), ...affected }, false)
}

/**
 * The data that a write is about to change, and the `WriteJournal` that records it. `affected` is undefined if there is
 * nothing to record.
 */
export type JournaledWrite = Readonly<{ journal: WriteJournal; affected: AffectedData | undefined }>

/** Stores the progress records of several writes in the same transaction. */
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
