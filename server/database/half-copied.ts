import type { Db } from 'mongodb'
import { ownCommand } from '../settings/own-command.js'

/** The collection of a copy's target in which the copy records its progress. It is never copied itself. */
export const copyNotes = '_copying'

/** Record of the copy as a whole. */
export type CopyNote = Readonly<{
  _id: 'copy'
  /** Source of the content, without credentials. */
  from: string
  startedAt: Date
  finishedAt?: Date
}>

/** Throws if a copy into a database was not finished, because its content is incomplete. */
export async function refuseHalfCopied(db: Db): Promise<void> {
  const note = await db.collection<CopyNote>(copyNotes).findOne({ _id: 'copy' })
  if (note === null || note.finishedAt !== undefined) return
  throw new Error(
    `A copy of ${note.from} into this database was not finished. Run \`${ownCommand('database copy')}\` again ` +
      'to continue it, or delete the content of the database.',
  )
}
