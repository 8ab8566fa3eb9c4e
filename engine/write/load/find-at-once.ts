import type { Db, Document } from 'mongodb'
import { Long } from 'mongodb'
import { readByCommand } from '../../database/read-by-command.js'
import type { ReadOptions } from '../../database/unit-of-work.js'

/** More than the default of 101 documents in the first batch, because each further batch is a command. */
export const inOneBatch = { batchSize: 10_000 } as const

/** Lets the engine use its fast path for an equality with one result: 0.3 ms instead of 0.4. */
const single = { limit: 1, singleBatch: true } as const

export type FindAtOnce = Readonly<{
  collection: string
  filter: Document
  projection?: Document
  /** Whether there is at most one document. */
  isOne?: boolean
  /** Whether a Long stays a Long. As a JavaScript number, it would be written back as a double. */
  exact?: boolean
}>

/**
 * Reads the few documents that a write looks up, by one command, because a cursor of the driver costs more than the
 * documents. Uses a cursor if they do not fit in the first batch, or if another server has to be selected.
 */
export async function findAtOnce<T extends Document = Document>(
  db: Db,
  { collection, filter, projection, isOne = false, exact = false }: FindAtOnce,
  options: ReadOptions,
): Promise<readonly T[]> {
  const request = {
    ...(projection === undefined ? {} : { projection }),
    ...(isOne ? single : inOneBatch),
  }
  const how = { ...(exact ? { promoteLongs: false } : {}), ...options }
  const answer = await readByCommand(db, { find: collection, filter, ...request }, options, how)
  return (
    (await wholeBatch<T>(db, collection, answer, options)) ??
    db
      .collection(collection)
      .find<T>(filter, { ...request, ...how })
      .toArray()
  )
}

/**
 * Returns the documents of a command if they all are in its first batch. Otherwise closes its cursor and returns
 * undefined.
 */
export async function wholeBatch<T>(
  db: Db,
  collection: string,
  answer: Document | undefined,
  options: ReadOptions,
): Promise<readonly T[] | undefined> {
  if (answer === undefined) return undefined
  const { firstBatch, id } = (answer as Answer<T>).cursor
  const open = Long.fromString(String(id))
  if (open.isZero()) return firstBatch
  await db.command({ killCursors: collection, cursors: [open] }, options)
  return undefined
}

type Answer<T> = Readonly<{ cursor: Readonly<{ firstBatch: readonly T[]; id: unknown }> }>
