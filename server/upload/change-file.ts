import type { Db } from 'mongodb'
import { runInOrder } from '../../engine/database/run-in-order.js'
import { notDone } from '../../engine/errors.js'
import { withLock, type Check } from './with-lock.js'

/**
 * Runs a task that changes the content of a file's entry. A lock shared by all instances keeps the entry unchanged
 * between the task's reads and its write. Tasks of the same instance run one after another. A task waits up to ten
 * seconds for the lock of another instance, then throws `unavailable`.
 * @param id record id of the entry
 * @param task gets a function to call right before it writes the entry; that function throws `unavailable` if the lock
 * was lost
 */
export function changeFile<T>(db: Db, id: number, task: (check: Check) => Promise<T>): Promise<T> {
  const _id = `changing-file-${id}`
  // Use the lock even if the service is the only process: `media move` may run alongside it. If a process dies, its
  // lease expires.
  return runInOrder(db, _id, () => withLock({ db, _id, alone: false, tries: 200, busy }, task))
}

const busy = () => notDone('The file is being changed by another request')
