import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'

/** The default is recorded in a single document, so that there is exactly one default, and the last write wins. */
type Pointer = Readonly<{ _id: 'default-locale'; code: string }>

const settings = (db: Db) => db.collection<Pointer>('_settings')
const _id = 'default-locale'

/** Returns the code of the recorded default locale; undefined if none is recorded. */
export async function readDefault(db: Db): Promise<string | undefined> {
  const pointer = await settings(db).findOne({ _id }, { maxTimeMS: 5000 })
  return pointer?.code
}

/** Sets the default locale. */
export async function writeDefault(db: Db, code: string): Promise<void> {
  await settings(db).updateOne({ _id }, { $set: { code } }, { upsert: true })
}

/** Sets the default locale if none is set. */
export async function adoptDefault(db: Db, code: string): Promise<void> {
  const adopt = () => settings(db).updateOne({ _id }, { $setOnInsert: { code } }, { upsert: true })
  await asFirstWriter(adopt)
}

/**
 * Restores the default `before`, because the new default `code` was being deleted. Does nothing if another locale has
 * become the default since.
 */
export async function takeDefaultBack(db: Db, code: string, before: string): Promise<void> {
  await settings(db).updateOne({ _id, code }, { $set: { code: before } })
}
