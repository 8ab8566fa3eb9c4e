import type { Collection, Db } from 'mongodb'
import { writeConcern } from '../../engine/database/durability.js'
import { importNotes } from '../../server/database/half-imported.js'

/** The progress of an import. `stage` may have been interrupted and is run again. Later stages have not begun. */
export type ImportRecord = Readonly<{
  /** The id of its source. */
  _id: string
  /** The command that continues it. Absent: one that imports from Strapi. */
  command?: 'import'
  startedAt: Date
  finishedAt?: Date
  stage: string
  /** What may be incomplete until it is done. Absent: everything. */
  brings?: Brings
}>

/** What an import replaces: whole parts, and types by their uids. */
export type Brings = Readonly<{ parts: readonly string[]; types: readonly string[] }>

/** Returns the records of imports. A database has one, or two for a moment. */
export const importRecords = (db: Db): Collection<ImportRecord> =>
  db.collection<ImportRecord>(importNotes)

/** Writes the record of a new import. Call `forgetOthers` next. */
export async function beginImport(db: Db, record: ImportRecord): Promise<void> {
  const { _id, ...begun } = record
  const concern = await writeConcern(db, true)
  await importRecords(db).replaceOne({ _id }, begun, { upsert: true, ...concern })
}

/**
 * Removes the records of earlier imports, before a new one changes anything. If a process is killed before this, there
 * are two records, and the newer import has not changed anything yet.
 */
export async function forgetOthers(db: Db, id: string): Promise<void> {
  await importRecords(db).deleteMany({ _id: { $ne: id } })
}

/** Saves the progress of an import. Waits until this write, and all writes before it, are on disk. */
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
