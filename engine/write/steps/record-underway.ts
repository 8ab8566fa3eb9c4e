import type { UnitOfWork } from '../../database/unit-of-work.js'
import { underway } from '../../database/own-collections.js'
import { insertVersion } from './insert-version.js'
import type { Touched } from './write-plan.js'

/** Who remembers what the writes of a process have under way. */
export type UnderwayLog = Readonly<{
  /** The id under which it is stored: the process's own, so that others find what one leaves that ends. */
  add: (touched: Touched) => string
}>

/**
 * Stores what a write is about to touch, before its first step, which is behind it in the journal; in a transaction
 * it is there when the write is.
 */
export async function recordUnderway(
  unit: UnitOfWork,
  log: UnderwayLog | undefined,
  touched: Touched | undefined,
): Promise<void> {
  if (log === undefined || touched === undefined) return
  await insertVersion(unit, underway, { _id: log.add(touched), ...touched }, false)
}

/** What a write is about to touch, and who remembers it. */
export type Noted = Readonly<{ underway: UnderwayLog; touched: Touched | undefined }>

/** The same for several writes that are one transaction: each of them is remembered by whose it is. */
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
