import type { Db } from 'mongodb'
import { ownCommand } from '../settings/own-command.js'

/**
 * Name of the collection in which `database copy` records its progress. The collection is in the target database, and
 * is never copied itself.
 */
export const copyProgressCollection = '_copying'

/** The record of a copy that was started. If `finishedAt` is set, the copy was finished. */
export type CopyProgress = Readonly<{
  _id: 'copy'
  /** Database that the content is copied from, without credentials. */
  from: string
  startedAt: Date
  finishedAt?: Date
}>

/** Throws if a copy into this database was started and not finished, because the database's content is incomplete. */
export async function refuseHalfCopied(db: Db): Promise<void> {
  const note = await db.collection<CopyProgress>(copyProgressCollection).findOne({ _id: 'copy' })
  if (note === null || note.finishedAt !== undefined) return
  throw new Error(
    `A copy of ${note.from} into this database was not finished. Run \`${ownCommand('database copy')}\` again ` +
      'to continue it, or delete the content of the database.',
  )
}
