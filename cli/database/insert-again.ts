import { MongoBulkWriteError, type Collection, type Document, type WriteError } from 'mongodb'
import { durable } from '../../engine/database/durability.js'

/** Inserts documents as they are. What is there already was inserted by a run that ended before it could note it. */
export async function insertAgain(into: Collection, batch: readonly Document[]): Promise<void> {
  if (batch.length === 0) return
  try {
    await into.insertMany(batch, { ...durable, ordered: false, ignoreUndefined: false })
  } catch (error) {
    duplicatesIn(error)
  }
}

/**
 * Returns what a unique index refused of a bulk write.
 * @throws the error if anything else went wrong
 */
export function duplicatesIn(error: unknown): readonly WriteError[] {
  const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  if (failures.length === 0 || failures.some(({ code }) => code !== 11000)) throw error
  return failures
}
