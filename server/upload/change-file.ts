import type { Db } from 'mongodb'
import { runInOrder } from '../../engine/database/run-in-order.js'
import { notDone } from '../../engine/errors.js'
import { withLock, type Check } from './with-lock.js'

/**
 * Changes the content of a file's entry under a lock shared by all instances, so what the task reads cannot change
 * until it writes. Within an instance, tasks queue. Each then waits up to ten seconds for other instances, and throws
 * `unavailable` after that.
 * @param id of the entry
 * @param task gets a function to call right before it writes the entry; it throws `unavailable` if the lock was lost
 */
export function changeFile<T>(db: Db, id: number, task: (check: Check) => Promise<T>): Promise<T> {
  const _id = `changing-file-${id}`
  // The lease of a dead process expires by itself; `media move` may run alongside the service.
  return runInOrder(db, _id, () => withLock({ db, _id, alone: false, tries: 200, busy }, task))
}

const busy = () => notDone('The file is being changed by others')
