import { MongoBulkWriteError, type Collection, type Document, type WriteError } from 'mongodb'
import { durable } from '../../engine/database/durability.js'

/**
 * Inserts documents unchanged. Skips documents that already exist, because an interrupted run may have inserted
 * documents without saving its progress.
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
 * Returns the failed writes of a bulk write, provided that all of them failed because of unique indexes.
 * @throws the original error if any write failed for another reason
 */
export function duplicatesIn(error: unknown): readonly WriteError[] {
  const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
  if (failures.length === 0 || failures.some(({ code }) => code !== 11000)) throw error
  return failures
}
