import type { Collection, Db } from 'mongodb'
import { writeConcern } from '../../engine/database/durability.js'
import { importProgressCollection } from '../../server/database/half-imported.js'

/** The progress of an import. After an interruption, the import repeats `stage`. */
export type ImportRecord = Readonly<{
  _id: string
  /** The command that continues this import. Absent for the imports from Strapi. */
  command?: 'import'
  startedAt: Date
  finishedAt?: Date
  stage: string
  /** The data that may be incomplete until the import is done. Absent if all data may be incomplete. */
  brings?: ReplacedData
}>

/** The data that an import replaces: whole parts of a backup, and types by their uids. */
export type ReplacedData = Readonly<{ parts: readonly string[]; types: readonly string[] }>

/** Returns the collection of import records. It usually contains one, or two for a moment while a new import begins. */
export const importRecords = (db: Db): Collection<ImportRecord> =>
  db.collection<ImportRecord>(importProgressCollection)

/** Writes the record of a new import. Call `forgetOthers` next. */
export async function beginImport(db: Db, record: ImportRecord): Promise<void> {
  const { _id, ...begun } = record
  const concern = await writeConcern(db, true)
  await importRecords(db).replaceOne({ _id }, begun, { upsert: true, ...concern })
}

/**
 * Removes the records of earlier imports. Call this before a new import changes content: as long as there are two
 * records, nothing has changed.
 */
export async function forgetOthers(db: Db, id: string): Promise<void> {
  await importRecords(db).deleteMany({ _id: { $ne: id } })
}

/** Saves the progress of an import. Waits until this and all earlier writes are on disk. */
export async function saveProgress<R extends ImportRecord>(
  db: Db,
  record: R,
  change: Partial<R>,
): Promise<R> {
  const concern = await writeConcern(db, true)
  const $set = change as Partial<ImportRecord>
  await importRecords(db).updateOne({ _id: record._id }, { $set }, { ...concern })
  return { ...record, ...change }
}
