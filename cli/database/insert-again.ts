import { MongoBulkWriteError, type Collection, type Document, type WriteError } from 'mongodb'
import { durable } from '../../engine/database/durability.js'

/**
 * Inserts documents unchanged. Ignores existing ones, which an interrupted run inserted before it could save its
 * progress.
 */
export async function insertAgain(into: Collection, batch: readonly Document[]): Promise<void> {
  if (batch.length === 0) return
  try {
    await into.insertMany(batch, { ...durable, ordered: false, ignoreUndefined: false })
  } catch (error) {
    duplicatesIn(error)
  }
}

/**
 * Returns the writes of a bulk write that a unique index rejected.
 * @throws the error if anything else failed
 */
export function duplicatesIn(error: unknown): readonly WriteError[] {
  const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  if (failures.length === 0 || failures.some(({ code }) => code !== 11000)) throw error
  return failures
}
