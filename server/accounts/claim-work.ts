import type { Db } from 'mongodb'
import { withLease } from '../../engine/database/with-lease.js'
import { fail } from '../../engine/errors.js'
import type { WriteTime } from '../../engine/write/write-time.js'

/**
 * Maximum time to wait for the lock, in milliseconds. It is longer than the work under a lock takes, and longer than
 * the lease of a dead process lasts.
 */
const waitTimeoutMs = 12_000

/**
 * Runs work under the lock `id`, which all processes of the database share. Work under the same lock never runs
 * concurrently, so the data that it reads cannot change before it writes. Throws `unavailable` if the lock is not free
 * in time. Does not start the work if the time limit of the write (`time`) has passed.
 */
export async function claimWork<T>(
  db: Db,
  id: string,
  work: () => Promise<T>,
  time?: WriteTime,
): Promise<T> {
  time?.hold()
  const deadline = performance.now() + waitTimeoutMs
  // The lease is renewed while the work runs. If a renewal fails, the database is unreachable, so the work fails too
  // and `lost` need not do anything.
  const lease = { db, collection: '_settings', _id: id, alone: false, lost: () => undefined }
  return withLease(
    lease,
    () => {
      time?.hold()
      return work()
    },
    () => {
      if (performance.now() > deadline)
        throw fail('unavailable', 'Other requests of this kind are in progress. Try again')
      time?.hold()
    },
  )
}
