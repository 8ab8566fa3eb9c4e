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

/** Reads alone: of a pipeline no stage may write. */
type Read = Document & (Readonly<{ find: string }> | Readonly<{ aggregate: string }>)

/**
 * The answer of a `find` or an `aggregate`, with its first batch. It is sent without a cursor of the driver's, which is
 * a fifth of what the process does for a document. Undefined where the command reached no server that answers: a cursor
 * is tried again by the driver, and a command is not. In a transaction that is an error, as what it has begun is over.
 */
export async function readByCommand(
  db: Db,
  read: Read,
  told: SentFor | undefined,
  options: Options,
): Promise<Document | undefined> {
  const { readConcern } = db
  // In a transaction the driver says how it reads.
  const isOwn = options.session?.inTransaction() !== true && readConcern !== undefined
  const command = { ...read, ...(isOwn ? { readConcern: readConcern.toJSON() } : {}) }
  try {
    return await withMarked(command, told, () => db.command(command, options))
  } catch (error) {
    if (options.session === undefined && isPassing(error)) return undefined
    throw error
  }
}
