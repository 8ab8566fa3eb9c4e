import type { Db } from 'mongodb'
import { withLease } from '../../engine/database/with-lease.js'
import { fail } from '../../engine/errors.js'
import type { WriteTime } from '../../engine/write/write-time.js'

/** Longer than any of the work takes, and than a process that died keeps the others waiting. */
const patienceMs = 12_000

/**
 * Does work that no other process of the database does at the same time: what it looks at stays as it is until it
 * has written. Throws `unavailable` where the others take too long, and does not begin where the `time` of the write
 * is over.
 */
export async function claimWork<T>(
  db: Db,
  id: string,
  work: () => Promise<T>,
  time?: WriteTime,
): Promise<T> {
  time?.hold()
  const deadline = performance.now() + patienceMs
  // It is renewed while the work runs; where that fails, the database is away and the work fails by itself.
  const lease = { db, collection: '_settings', _id: id, alone: false, lost: () => undefined }
  return withLease(
    lease,
    () => {
      time?.hold()
      return work()
    },
    () => {
      if (performance.now() > deadline)
        throw fail('unavailable', 'Other requests of this kind are under way; try again')
      time?.hold()
    },
  )
}
