import type { Db } from 'mongodb'
import { runInOrder } from '../../engine/database/run-in-order.js'
import { notDone } from '../../engine/errors.js'
import { withLock, type Check } from './with-lock.js'

/**
 * Runs a task that changes a file's content. A lock shared by all instances keeps the entry unchanged from the task's
 * reads to its write. Tasks of one instance run one after another. Throws `unavailable` after ten seconds of waiting
 * for another instance.
 * @param id record id of the entry
 * @param task gets a function to call right before the write; it throws `unavailable` if the lock was lost
 */
export function changeFile<T>(db: Db, id: number, task: (check: Check) => Promise<T>): Promise<T> {
  const _id = `changing-file-${id}`
  // Even for a single process: `media move` may run alongside it. If a process dies, its lease expires.
  return runInOrder(db, _id, () => withLock({ db, _id, alone: false, tries: 200, busy }, task))
}

const busy = () => notDone('The file is being changed by another request')
