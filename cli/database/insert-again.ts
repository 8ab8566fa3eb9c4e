import { MongoBulkWriteError, type Collection, type Document, type WriteError } from 'mongodb'
import { durable } from '../../engine/database/durability.js'

/** Inserts documents. Skips those that exist, because an interrupted run may not have saved its progress. */
export async function insertAgain(into: Collection, batch: readonly Document[]): Promise<void> {
  if (batch.length === 0) return
  try {
    await into.insertMany(batch, { ...durable, ordered: false, ignoreUndefined: false })
  } catch (error) {
    duplicatesIn(error)
  }
}

/** Returns the failed writes of a bulk write if all failures come from unique indexes. Otherwise rethrows the error. */
export function duplicatesIn(error: unknown): readonly WriteError[] {
  const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  if (failures.length === 0 || failures.some(({ code }) => code !== 11000)) throw error
  return failures
}
