import type { Collection, Document } from 'mongodb'
import { MongoBulkWriteError } from 'mongodb'

/** Waits until a write is on the disks of the majority. */
export const durable = { writeConcern: { w: 'majority', journal: true } } as const

/** Inserts documents as they are. What is there already was inserted by a run that ended before it could note it. */
export async function insertAgain(into: Collection, batch: Document[]): Promise<void> {
  try {
    await into.insertMany(batch, { ...durable, ordered: false, ignoreUndefined: false })
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.code !== 11000) throw error
    const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]
    if (errors.some(({ code }) => code !== 11000)) throw error
  }
}
