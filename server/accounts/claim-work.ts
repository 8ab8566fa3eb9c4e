import type { Db } from 'mongodb'
import { withLease } from '../../engine/database/with-lease.js'
import { fail } from '../../engine/errors.js'
import type { WriteTime } from '../../engine/write-time.js'

/**
 * Maximum time to wait for a lock, in ms. Exceeds the time that work under a lock takes, and the time until the lease
 * of a dead process expires.
 */
const waitTimeoutMs = 12_000

/**
 * Runs work exclusively among all processes of the database. Throws `unavailable` if the lock `id` is not free in time.
 * Does not start the work after the write's time limit (`time`) has passed.
 */
export async function claimWork<T>(
  db: Db,
  id: string,
  work: () => Promise<T>,
  time?: WriteTime,
): Promise<T> {
  time?.hold()
  const deadline = performance.now() + waitTimeoutMs
  // A failed renewal means that the database is unreachable. Then the work fails too, so `lost` need not do anything.
  const lease = {
    db,
    collection: '_settings',
    _id: id,
    singleProcess: false,
    lost: () => undefined,
  }
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
