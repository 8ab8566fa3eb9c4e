import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../engine/database/duplicate-key.js'
import { fail } from '../../engine/errors.js'
import type { WriteTime } from '../../engine/write/write-time.js'

/** Longer than any of the work takes; a process that dies meanwhile keeps the others waiting for no longer. */
const claimMs = 10_000

/**
 * Does work that no other process of the database does at the same time: what it looks at stays as it is until it
 * has written. A claim is `_settings { _id }` with its time, and ends by itself. Throws `unavailable` where the
 * others take too long, and does not begin where the `time` of the write is over.
 */
export async function claimWork<T>(
  db: Db,
  id: string,
  work: () => Promise<T>,
  time?: WriteTime,
): Promise<T> {
  time?.hold()
  const claims = db.collection<Claim>('_settings')
  const deadline = Date.now() + claimMs + 2000
  let at = await claim(db, id)
  while (at === undefined) {
    if (Date.now() > deadline)
      throw fail('unavailable', { message: 'Other requests of this kind are under way; try again' })
    await sleep(25)
    time?.hold()
    at = await claim(db, id)
  }
  try {
    time?.hold()
    return await work()
  } finally {
    await claims.deleteOne({ _id: id, at })
  }
}

type Claim = { _id: string; at: Date }

/** The time of the claim; undefined while somebody else has it. */
async function claim(db: Db, _id: string): Promise<Date | undefined> {
  const now = new Date()
  const ended = { $lt: new Date(now.getTime() - claimMs) }
  try {
    const claims = db.collection<Claim>('_settings')
    await claims.updateOne({ _id, at: ended }, { $set: { at: now } }, { upsert: true })
    return now
  } catch (error) {
    // The claim is there and not old: the filter missed it, and the insert found it.
    if (isDuplicateKey(error)) return undefined
    throw error
  }
}
