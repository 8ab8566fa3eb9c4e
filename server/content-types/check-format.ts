import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'
import { storageFormat } from '../../engine/database/storage-format.js'

/**
 * Checks the storage format of a database. Writes the current format into a new database.
 * @throws Error with a message for the operator if the database has another format
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

/** Checks the storage format as `checkFormat` does, but writes nothing. */
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
