import type { Db } from 'mongodb'
import { ownCommand } from '../settings/own-command.js'

/** Collection with the progress of `database copy`, in the target database. This collection itself is never copied. */
export const copyProgressCollection = '_copying'

/** Progress of a copy, which is finished if `finishedAt` is set. */
export type CopyProgress = Readonly<{
  _id: 'copy'
  /** Source, without credentials. */
  from: string
  startedAt: Date
  finishedAt?: Date
}>

/** Throws if a copy into this database was not finished, because the content is incomplete. */
export async function refuseHalfCopied(db: Db): Promise<void> {
  const note = await db.collection<CopyProgress>(copyProgressCollection).findOne({ _id: 'copy' })
  if (note === null || note.finishedAt !== undefined) return
  throw new Error(
    `A copy of ${note.from} into this database was not finished. Run \`${ownCommand('database copy')}\` again ` +
      'to continue it, or delete the content of the database.',
  )
}
