import type { Db, Document } from 'mongodb'
import { asCount } from './as-count.js'
import { asFind, oneBatch } from './as-find.js'
import { databaseError } from '../database-errors.js'

/** Runs the pipelines of one request. */
export type Reader = Readonly<{
  /**
   * All documents that a pipeline yields; `purpose` is what an explanation calls it.
   * Throws `ApiError` 503 past the deadline or without a database.
   */
  read: (collection: string, pipeline: Document[], purpose: string) => Promise<Document[]>
  /** The same, each document as the bytes that the database sent. */
  readStored: (
    collection: string,
    pipeline: Document[],
    purpose: string,
  ) => Promise<readonly Buffer[]>
  /** How many documents a pipeline yields that ends with a `$count` of `total`. */
  count: (collection: string, pipeline: Document[]) => Promise<number>
  /** How many documents a collection has, by its metadata. */
  countAll: (collection: string) => Promise<number>
}>

type ReaderOptions = Readonly<{
  /** Once it is aborted, commands that run are ended in the database, and reject with its reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds since 1970; default `timeoutMs` from now on. */
  deadline?: number | undefined
}>

/** A reader whose commands share one time budget, of which `timeoutMs` is what the client is told. */
export function createReader(
  db: Db,
  timeoutMs: number,
  { signal, deadline = Date.now() + timeoutMs }: ReaderOptions = {},
): Reader {
  const stopping = signal === undefined ? {} : { signal }
  const run = async <T>(command: (maxTimeMS: number) => Promise<T>): Promise<T> => {
    signal?.throwIfAborted()
    try {
      return await command(Math.max(1, deadline - Date.now()))
    } catch (error) {
      throw databaseError(error, timeoutMs) ?? error
    }
  }
  const readWith = <T>(
    collection: string,
    pipeline: Document[],
    decoding: Readonly<{ useBigInt64: true } | { raw: true }>,
  ): Promise<T[]> =>
    run((maxTimeMS) => {
      const options = { ...decoding, ...stopping, maxTimeMS }
      const find = asFind(pipeline)
      const cursor =
        find === undefined
          ? db.collection(collection).aggregate(pipeline, { ...options, ...oneBatch })
          : db.collection(collection).find(find.filter, { ...options, ...find.options })
      return cursor.toArray() as Promise<T[]>
    })
  return {
    // A biginteger beyond 2^53 would lose digits as a number.
    read: (collection, pipeline) => readWith<Document>(collection, pipeline, { useBigInt64: true }),
    readStored: async (collection, pipeline) => {
      const found = await readWith<Uint8Array>(collection, pipeline, { raw: true })
      return found.map((it) => Buffer.from(it.buffer, it.byteOffset, it.byteLength))
    },
    count: async (collection, pipeline) => {
      const query = asCount(pipeline)
      if (query === undefined) {
        const [row] = await readWith<Document>(collection, pipeline, { useBigInt64: true })
        return Number(row?.['total'] ?? 0)
      }
      // Deprecated because of what it says without a filter; unlike `db.command` it is tried again after a lost connection.
      return run((maxTimeMS) => db.collection(collection).count(query, { ...stopping, maxTimeMS }))
    },
    countAll: (collection) =>
      run((maxTimeMS) => db.collection(collection).estimatedDocumentCount({ maxTimeMS })),
  }
}
