import type { Db } from 'mongodb'
import { createId } from '../../engine/values/create-id.js'

const _id = 'purge-owed'

/** `noted`: a new id for each record, so that a purge for one record does not remove another. */
const notes = (db: Db) => db.collection<{ _id: string; noted: string }>('_settings')

/** Records for the next start that caches were not purged completely. */
export async function recordOwedPurge(db: Db): Promise<void> {
  await notes(db).updateOne({ _id }, { $set: { noted: createId() } }, { upsert: true })
}

/** Returns the id of the record; undefined if no purge is owed. */
export async function findOwedPurge(db: Db): Promise<string | undefined> {
  return (await notes(db).findOne({ _id }))?.noted
}

/** Removes the record after the purge. A newer record stays. */
export async function removeOwedPurge(db: Db, noted: string): Promise<void> {
  await notes(db).deleteOne({ _id, noted })
}
