import type { Collection, Db } from 'mongodb'
import { writeConcern } from '../../engine/database/durability.js'
import { importNotes } from '../../server/database/half-imported.js'
import type { Asked } from '../../server/backup/selection.js'

/** What an import does, one after the other. */
export type Stage = 'clearing' | 'writing' | 'finishing' | 'done'

/** How far an import has come: what it did before may be done again, and what comes after has not begun. */
export type ImportRecord = Readonly<{
  /** The checksum of what is in the archive. */
  _id: string
  /** Which command goes on with it. */
  command: 'import'
  startedAt: Date
  finishedAt?: Date
  stage: Stage
  /** What of the archive is imported. */
  asked: Asked
  /** Of `writing`: the last member that is there. */
  at: number
  /** uids of definitions that were not there before. */
  definitions: readonly string[]
  /** What there may be a half of until it is done. */
  brings: Brings
}>

/** What an import takes the place of: parts as wholes, and types by their uids. */
export type Brings = Readonly<{ parts: readonly string[]; types: readonly string[] }>

/** Imports that were begun; one database has had few. */
export const importRecords = (db: Db): Collection<ImportRecord> =>
  db.collection<ImportRecord>(importNotes)

/** Begins, after which the notes of others are to be taken away. */
export async function beginImport(db: Db, record: ImportRecord): Promise<void> {
  const { _id, ...begun } = record
  const concern = await writeConcern(db, true)
  await importRecords(db).replaceOne({ _id }, begun, { upsert: true, ...concern })
}

/**
 * Of several archives that were imported one after the other, the last is the one that is known. Nothing is done before:
 * where two are noted because one who began was killed, that one has changed nothing of what the other did.
 */
export async function forgetOthers(db: Db, { _id }: Pick<ImportRecord, '_id'>): Promise<void> {
  await importRecords(db).deleteMany({ _id: { $ne: _id } })
}

/** What the cut-off import of another archive brings, which is here by half; one of a Strapi has no list of that. */
export async function findOther(
  db: Db,
  id: string,
): Promise<Readonly<{ brings?: Brings }> | undefined> {
  const other = await importRecords(db).findOne({ _id: { $ne: id }, stage: { $ne: 'done' } })
  return other ?? undefined
}

/** Writes how far an import has come, and waits until that, and so what came before it, is on disk. */
export async function saveProgress(
  db: Db,
  record: ImportRecord,
  change: Partial<Omit<ImportRecord, '_id'>>,
): Promise<ImportRecord> {
  const concern = await writeConcern(db, true)
  await importRecords(db).updateOne({ _id: record._id }, { $set: change }, { ...concern })
  return { ...record, ...change }
}
