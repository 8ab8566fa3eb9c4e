import type { Db } from 'mongodb'
import { createId } from '../../engine/values/create-id.js'

const _id = 'purge-owed'

/** `noted`: another one for each note, so that none is removed by whoever has sent what another one was about. */
const notes = (db: Db) => db.collection<{ _id: string; noted: string }>('_settings')

/** Notes for the next start that caches were not told of all that has changed. */
export async function noteOwed(db: Db): Promise<void> {
  await notes(db).updateOne({ _id }, { $set: { noted: createId() } }, { upsert: true })
}

/** Which note there is; undefined where nothing is owed. */
export async function findOwed(db: Db): Promise<string | undefined> {
  return (await notes(db).findOne({ _id }))?.noted
}

/** Once it was sent. Another note stays. */
export async function forgetOwed(db: Db, noted: string): Promise<void> {
  await notes(db).deleteOne({ _id, noted })
}
