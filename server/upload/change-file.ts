import type { Db } from 'mongodb'
import { inTurn } from '../../engine/database/in-turn.js'
import { LeaseLost, withLease } from '../../engine/database/with-lease.js'
import { notDone } from '../../engine/errors.js'

/** Each after 50 ms. */
const maxTries = 200

/**
 * Changes which content the entry of a file names, of all instances one at a time: what a change reads of the entry is
 * what it replaces. Waits for others for ten seconds at most, of each instance; throws `unavailable` then.
 * @param id of the entry
 * @param task gets a function to call right before the entry is written; it throws `unavailable` where others may have begun
 */
export function changeFile<T>(
  db: Db,
  id: number,
  task: (check: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const _id = `changing-file-${id}`
  // One that was left behind ends by itself; `media move` may run beside the service.
  const lease = { db, collection: '_settings', _id, alone: false, lost: () => undefined }
  const run = (check: () => Promise<void>): Promise<T> =>
    task(() =>
      check().catch((error: unknown) => {
        throw error instanceof LeaseLost ? busy() : error
      }),
    )
  const waiting = (tries: number): void => {
    if (tries >= maxTries) throw busy()
  }
  return inTurn(db, _id, () => withLease(lease, run, waiting))
}

const busy = () => notDone('The file is being changed by others')
