import type { Db } from 'mongodb'
import { inTurn } from '../../engine/database/in-turn.js'
import { notDone } from '../../engine/errors.js'
import { withLock, type Check } from './with-lock.js'

/**
 * Changes which content the entry of a file names, of all instances one at a time: what a change reads of the entry is
 * what it replaces. Waits for others for ten seconds at most, of each instance; throws `unavailable` then.
 * @param id of the entry
 * @param task gets a function to call right before the entry is written; it throws `unavailable` where others may have begun
 */
export function changeFile<T>(db: Db, id: number, task: (check: Check) => Promise<T>): Promise<T> {
  const _id = `changing-file-${id}`
  // One that was left behind ends by itself; `media move` may run beside the service.
  return inTurn(db, _id, () => withLock({ db, _id, alone: false, tries: 200, busy }, task))
}

const busy = () => notDone('The file is being changed by others')
