import type { Collection, Db } from 'mongodb'
import { writeConcern } from '../../engine/database/durability.js'
import { importNotes } from '../../server/database/half-imported.js'

/** How far an import has come: what it did before may be done again, and what comes after has not begun. */
export type ImportRecord = Readonly<{
  /** The id of its source. */
  _id: string
  /** Which command goes on with it; absent: one that imports from a Strapi. */
  command?: 'import'
  startedAt: Date
  finishedAt?: Date
  stage: string
  /** What there may be a half of until it is done; absent: of everything. */
  brings?: Brings
}>

/** What an import takes the place of: parts as wholes, and types by their uids. */
export type Brings = Readonly<{ parts: readonly string[]; types: readonly string[] }>

/** Imports that were begun; one database has had few. */
export const importRecords = (db: Db): Collection<ImportRecord> =>
  db.collection<ImportRecord>(importNotes)

/** Begins, after which the records of others are to be taken away. */
export async function beginImport(db: Db, record: ImportRecord): Promise<void> {
  const { _id, ...begun } = record
  const concern = await writeConcern(db, true)
  await importRecords(db).replaceOne({ _id }, begun, { upsert: true, ...concern })
}

/**
 * Of several sources that were imported one after the other, the last is the one that is known. Nothing is done before:
 * where two are noted because one who began was killed, that one has changed nothing of what the other did.
 */
export async function forgetOthers(db: Db, id: string): Promise<void> {
  await importRecords(db).deleteMany({ _id: { $ne: id } })
}

/** Writes how far an import has come, and waits until that, and so what came before it, is on disk. */
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
