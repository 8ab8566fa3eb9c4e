import type { Db, Document, ReadPreference } from 'mongodb'
import { findByCommand } from '../../database/find-by-command.js'
import type { SentFor } from '../../database/sent-commands.js'
import type { Find } from './as-find.js'
import { asFind } from './as-find.js'
import { behindName, bsonType, byteAt, sizeOfValue } from './stored-bson.js'
import { documentsIn } from './stored-fields.js'

/** A pipeline that yields one document at most, as a `find`; undefined for any other. */
export function asFindFirst(pipeline: readonly Document[]): Find | undefined {
  const find = asFind(pipeline)
  return find?.options.limit === 1 ? find : undefined
}

type Options = Readonly<{
  /** Milliseconds that the database may take. */
  ms: number
  signal?: AbortSignal | undefined
  readPreference?: ReadPreference | undefined
  told?: SentFor
}>

/**
 * The one document that is found, as the bytes that the database sent, or none: one document is always in the first
 * batch. Undefined where a cursor has to be asked (`findByCommand`).
 */
export async function findFirst(
  db: Db,
  collection: string,
  { filter, options }: Find,
  { ms, signal, readPreference, told }: Options,
): Promise<readonly Buffer[] | undefined> {
  const command = { find: collection, filter, ...options, maxTimeMS: ms }
  const answer = await findByCommand(db, command, told, {
    raw: true,
    ...(signal === undefined ? {} : { signal }),
    ...(readPreference === undefined ? {} : { readPreference }),
  })
  return answer && firstBatch(answer['cursor'] as Uint8Array)
}

/** The documents of an answer's `cursor: { firstBatch: [ … ], … }`. Throws where it has no batch. */
function firstBatch(cursor: Uint8Array): readonly Buffer[] {
  const bytes = Buffer.from(cursor.buffer, cursor.byteOffset, cursor.byteLength)
  let at = 4
  for (let type = byteAt(bytes, at); type !== 0; type = byteAt(bytes, at)) {
    const value = behindName(bytes, at + 1)
    if (type === bsonType.array && bytes.toString('latin1', at + 1, value - 1) === 'firstBatch')
      return documentsIn(bytes, value).map((start) =>
        bytes.subarray(start, start + bytes.readInt32LE(start)),
      )
    at = value + sizeOfValue(type, bytes, value)
  }
  throw new Error('The database answered a find without a batch')
}
