import type { Db, Document } from 'mongodb'
import { fail } from '../errors.js'
import { describeDatabaseError } from './database-errors.js'

/** Runs the pipelines of one request. */
export type Reader = Readonly<{
  /** All documents that a pipeline yields. Throws `ApiError` 503 past the deadline or without a database. */
  read: (collection: string, pipeline: Document[]) => Promise<Document[]>
}>

/** A reader whose commands share one time budget, and stop when the client is gone. */
export function createReader(db: Db, timeoutMs: number, signal?: AbortSignal): Reader {
  const deadline = Date.now() + timeoutMs
  return {
    read: async (collection, pipeline) => {
      if (signal?.aborted === true) throw fail('timeout')
      try {
        return await db
          .collection(collection)
          .aggregate(pipeline, {
            maxTimeMS: Math.max(1, deadline - Date.now()),
            // A biginteger beyond 2^53 would lose digits as a number.
            useBigInt64: true,
          })
          .toArray()
      } catch (error) {
        throw describeDatabaseError(error, timeoutMs)
      }
    },
  }
}
