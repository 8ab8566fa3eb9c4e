import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'

/** The version of the storage format that this code reads and writes (docs/storage.md, "Collections"). */
const format = 1

/**
 * Marks a new database with the format it is written in, and refuses one that a newer Quire wrote.
 * @throws Error with a text for whoever starts the service
 */
export async function checkFormat(db: Db): Promise<void> {
  const settings = db.collection<Readonly<{ _id: string; version: number }>>('_settings')
  const marked = await asFirstWriter(() =>
    settings.findOneAndUpdate(
      { _id: 'format' },
      { $setOnInsert: { version: format } },
      { upsert: true, returnDocument: 'after' },
    ),
  )
  const version = marked?.version
  if (version !== format)
    throw new Error(
      `The database "${db.databaseName}" has storage format ${String(version)}, and this version of Quire knows ${format}: it was written by ${typeof version === 'number' && version > format ? 'a newer one' : 'another one'}`,
    )
}
