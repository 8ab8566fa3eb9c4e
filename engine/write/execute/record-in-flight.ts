import type { UnitOfWork } from '../../database/unit-of-work.js'
import { journalCollection } from '../../database/own-collections.js'
import { insertVersion } from './insert-version.js'
import type { AffectedData } from '../plan/write-plan.js'

/** Log of the in-flight writes of a process. */
export type WriteJournal = Readonly<{
  /**
   * Returns the `_id` to store for the entry. It contains the process, so that other processes can find the entries of
   * a process that has ended.
   */
  add: (affected: AffectedData) => string
}>

/**
 * Stores what a write is about to change. Call it before the first step: the database's journal keeps that order. In a
 * transaction, the record takes effect together with the write.
 */
export async function recordInFlight(
  unit: UnitOfWork,
  log: WriteJournal | undefined,
  affected: AffectedData | undefined,
): Promise<void> {
  if (log === undefined || affected === undefined) return
  await insertVersion(unit, journalCollection, { _id: log.add(affected), ...affected }, false)
}

/** The data that a write is about to change, and the log that records it. */
export type JournaledWrite = Readonly<{ journal: WriteJournal; affected: AffectedData | undefined }>

/** Stores what several writes of one transaction are about to change. Each write uses its own log. */
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
