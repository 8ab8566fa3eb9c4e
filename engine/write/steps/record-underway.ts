import type { UnitOfWork } from '../../database/unit-of-work.js'
import { underway } from '../../database/own-collections.js'
import { insertVersion } from './insert-version.js'
import type { Touched } from './write-plan.js'

/** Log of the in-flight writes of a process. */
export type UnderwayLog = Readonly<{
  /**
   * Returns the id of the stored entry. It contains the process, so that other processes find the entries of one that
   * has ended.
   */
  add: (touched: Touched) => string
}>

/**
 * Stores what a write is about to change, before its first step, which follows it in the database's journal. In a
 * transaction it takes effect together with the write.
 */
export async function recordUnderway(
  unit: UnitOfWork,
  log: UnderwayLog | undefined,
  touched: Touched | undefined,
): Promise<void> {
  if (log === undefined || touched === undefined) return
  await insertVersion(unit, underway, { _id: log.add(touched), ...touched }, false)
}

/** What a write is about to change, and the log for it. */
export type Noted = Readonly<{ underway: UnderwayLog; touched: Touched | undefined }>

/** Does the same for several writes of one transaction. Each uses its own log. */
export async function recordAllUnderway(
  { db, write }: UnitOfWork,
  noted: readonly Noted[],
): Promise<void> {
  const notes = noted.flatMap(({ underway: log, touched }) =>
    touched === undefined ? [] : [{ _id: log.add(touched), ...touched }],
  )
  if (notes.length === 0) return
  const collection = db.collection<Touched & { _id: string }>(underway)
  await write(false, (options) => collection.insertMany(notes, options))
}
