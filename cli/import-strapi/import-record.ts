import type { Collection, Db } from 'mongodb'
import { writeConcern } from '../../engine/database/durability.js'
import { importNotes } from '../../server/database/half-imported.js'
import type { Note } from './notes.js'

/** What an import does, one after the other. */
export const stages = ['clearing', 'staging', 'content', 'media', 'done'] as const
export type Stage = (typeof stages)[number]

/** How many there are of a type. */
export type Mapped = Readonly<{
  rows: number
  documents: number
  drafts: number
  published: number
}>

/** How far an import has come: what it did before may be done again, and what comes after has not begun. */
export type ImportRecord = Readonly<{
  /** SHA-256 of the archive. */
  _id: string
  startedAt: Date
  finishedAt?: Date
  stage: Stage
  /** Whether what was there before is taken away; where that was not asked for, nothing was. */
  replace: boolean
  /** Of `content`: the last document that is there, of this type and of those before it. */
  at?: Readonly<{ uid: string; documentId: string }> | undefined
  /** The last id of a component that the database had given when it began. */
  componentsAfter: number
  /** What ids of components are raised by, by uid of the component: Strapi numbers each by itself. */
  componentsFrom: Readonly<Record<string, number>>
  mapped: Readonly<Record<string, Mapped>>
  media: Readonly<{ files: number; bytes: number }>
  notes: readonly Note[]
}>

/** Imports that were begun; one database has had few. */
export const importRecords = (db: Db): Collection<ImportRecord> =>
  db.collection<ImportRecord>(importNotes)

/** Writes how far an import has come, and waits until that, and so what came before it, is on disk. */
export async function saveProgress(
  db: Db,
  id: string,
  change: Partial<Omit<ImportRecord, '_id'>>,
): Promise<void> {
  const { at, ...set } = change
  const isOver = 'at' in change && at === undefined
  await importRecords(db).updateOne(
    { _id: id },
    isOver ? { $set: set, $unset: { at: '' } } : { $set: change },
    { ...(await writeConcern(db, true)) },
  )
}
