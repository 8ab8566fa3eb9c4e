import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'
import { storageFormat } from '../../engine/database/storage-format.js'

/**
 * Checks the storage format, or writes the current one into a new database. Throws an Error for the operator if the
 * format is another one.
 */
export async function checkFormat(db: Db): Promise<void> {
  const marked = await asFirstWriter(() =>
    settingsOf(db).findOneAndUpdate(
      { _id: 'format' },
      { $setOnInsert: { version: storageFormat } },
      { upsert: true, returnDocument: 'after' },
    ),
  )
  refuseOther(db, marked?.version)
}

/** Checks the storage format like `checkFormat`, but writes nothing. */
export async function checkMarkedFormat(db: Db): Promise<void> {
  const marked = await settingsOf(db).findOne({ _id: 'format' })
  if (marked !== null) refuseOther(db, marked.version)
}

const settingsOf = (db: Db) => db.collection<{ _id: string; version?: unknown }>('_settings')

function refuseOther({ databaseName }: Db, version: unknown): void {
  if (version === storageFormat) return
  throw new Error(
    `The database "${databaseName}" has storage format ${String(version)}, but this version of Quire reads only ${storageFormat}. See docs/upgrading.md`,
  )
}
