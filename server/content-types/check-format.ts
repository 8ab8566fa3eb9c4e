import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'
import type { FormatDocument } from '../../engine/database/storage-format.js'
import { completeOf, storageFormat } from '../../engine/database/storage-format.js'

/**
 * Marks a new database with the newest format, and refuses one that a newer Quire wrote. To be called by a
 * process whose heartbeat is in `_instances` already: who raises the format looks there after raising it, so
 * one of the two sees the other.
 * @returns the format up to which the database is carried over
 * @throws Error with a text for whoever starts the service
 */
export async function checkFormat(db: Db): Promise<number> {
  const marked = await asFirstWriter(() =>
    settingsOf(db).findOneAndUpdate(
      { _id: 'format' },
      { $setOnInsert: { version: storageFormat } },
      { upsert: true, returnDocument: 'after' },
    ),
  )
  return completeIn(db, marked)
}

/** Throws as `checkFormat` does, and writes nothing. */
export async function checkMarkedFormat(db: Db): Promise<void> {
  const marked = await settingsOf(db).findOne({ _id: 'format' })
  if (marked !== null) completeIn(db, marked)
}

const settingsOf = (db: Db) => db.collection<FormatDocument>('_settings')

function completeIn(db: Db, marked: FormatDocument | null): number {
  const version: unknown = marked?.version
  if (marked !== null && typeof version === 'number' && version >= 1 && version <= storageFormat)
    return completeOf(marked)
  const by = typeof version === 'number' && version > storageFormat ? 'a newer' : 'another'
  throw new Error(
    `The database "${db.databaseName}" has storage format ${String(version)}, and this version of Quire knows ${storageFormat}: it was written by ${by} one (docs/upgrading.md)`,
  )
}
