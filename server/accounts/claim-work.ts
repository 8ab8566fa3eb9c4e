import type { Db } from 'mongodb'
import { withLease } from '../../engine/database/with-lease.js'
import { fail } from '../../engine/errors.js'
import type { WriteTime } from '../../engine/write/write-time.js'

/** Wait timeout in ms. Longer than this work takes, and longer than a dead process blocks the others. */
const waitTimeoutMs = 12_000

/**
 * Runs work under a lock, so that no other process of the database does it at the same time. What the work reads cannot
 * change until it has written. Throws `unavailable` if the lock is not free in time. Does not begin after the `time` of
 * the write is over.
 */
export async function claimWork<T>(
  db: Db,
  id: string,
  work: () => Promise<T>,
  time?: WriteTime,
): Promise<T> {
  time?.hold()
  const deadline = performance.now() + waitTimeoutMs
  // The lease is renewed while the work runs. If that fails, the database is unreachable and the work fails by itself.
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
