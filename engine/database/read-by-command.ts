import type { ClientSession, Db, Document, ReadPreferenceLike } from 'mongodb'
import { isPassing } from '../errors/database-errors.js'
import type { SentFor } from './sent-commands.js'
import { withMarked } from './sent-commands.js'

type Options = Readonly<{
  signal?: AbortSignal
  session?: ClientSession
  readPreference?: ReadPreferenceLike
  raw?: true
  promoteLongs?: boolean
}>

/** A read command. Its pipeline must have no stage that writes. */
type Read = Document & (Readonly<{ find: string }> | Readonly<{ aggregate: string }>)

/**
 * Returns the response of a `find` or an `aggregate`, with its first batch. Avoiding the driver's cursor saves a fifth
 * of the time that the process spends on a document. Returns undefined if no server could be reached, so that the
 * caller can use a cursor: the driver retries a cursor, but not a command. In a session it throws instead, because the
 * transaction is over.
 */
export async function readByCommand(
  db: Db,
  read: Read,
  sentFor: SentFor | undefined,
  options: Options,
): Promise<Document | undefined> {
  const { readConcern } = db
  // In a transaction the driver sets the read concern.
  const isOwn = options.session?.inTransaction() !== true && readConcern !== undefined
  const command = { ...read, ...(isOwn ? { readConcern: readConcern.toJSON() } : {}) }
  try {
    return await withMarked(command, sentFor, () => db.command(command, options))
  } catch (error) {
    if (options.session === undefined && isPassing(error)) return undefined
    throw error
  }
}
