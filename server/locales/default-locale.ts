import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'

/** Which locale is the default: one document, so that whoever sets it last has set it, and there always is one. */
type Pointer = Readonly<{ _id: 'default-locale'; code: string }>

const settings = (db: Db) => db.collection<Pointer>('_settings')
const _id = 'default-locale'

/** The default's code; undefined where none was ever set. */
export async function readDefault(db: Db): Promise<string | undefined> {
  const pointer = await settings(db).findOne({ _id }, { maxTimeMS: 5000 })
  return pointer?.code
}

/** Makes a locale the default. */
export async function writeDefault(db: Db, code: string): Promise<void> {
  await settings(db).updateOne({ _id }, { $set: { code } }, { upsert: true })
}

/** Makes a locale the default where none is set. */
export async function adoptDefault(db: Db, code: string): Promise<void> {
  const adopt = () => settings(db).updateOne({ _id }, { $setOnInsert: { code } }, { upsert: true })
  await asFirstWriter(adopt)
}

/** Takes a default back that was set to a locale that is gone, unless another was set meanwhile. */
export async function takeDefaultBack(db: Db, code: string, before: string): Promise<void> {
  await settings(db).updateOne({ _id, code }, { $set: { code: before } })
}
