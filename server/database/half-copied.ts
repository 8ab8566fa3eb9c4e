import type { Db } from 'mongodb'
import { ownCommand } from '../settings/own-command.js'

/** The collection in which a copy notes, in its target, how far it is; it is never copied itself. */
export const copyNotes = '_copying'

/** What it says of the copy as a whole. */
export type CopyNote = Readonly<{
  _id: 'copy'
  /** Where the content comes from, without credentials. */
  from: string
  startedAt: Date
  finishedAt?: Date
}>

/** Throws where a copy into a database was begun and not finished: what is there is a part of the content. */
export async function refuseHalfCopied(db: Db): Promise<void> {
  const note = await db.collection<CopyNote>(copyNotes).findOne({ _id: 'copy' })
  if (note === null || note.finishedAt !== undefined) return
  throw new Error(
    `A copy of ${note.from} into this database was not finished. Run \`${ownCommand('database copy')}\` again, ` +
      'which goes on with it, or remove what is there.',
  )
}
