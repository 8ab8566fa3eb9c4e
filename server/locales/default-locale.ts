import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'

/** The default locale. It is stored in one document, so that the last writer wins and there is always exactly one. */
type Pointer = Readonly<{ _id: 'default-locale'; code: string }>

const settings = (db: Db) => db.collection<Pointer>('_settings')
const _id = 'default-locale'

/** Returns the default's code; undefined if it was never set. */
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

/** Restores the previous default after it was set to a deleted locale. Does nothing if another was set meanwhile. */
export async function takeDefaultBack(db: Db, code: string, before: string): Promise<void> {
  await settings(db).updateOne({ _id, code }, { $set: { code: before } })
}
