import type { Db } from 'mongodb'
import { runInOrder } from '../../engine/database/run-in-order.js'
import { notDone } from '../../engine/errors.js'
import { withLock, type Check } from './with-lock.js'

/**
 * Runs a task that changes a file. Holds a lock that all instances share, so that the entry stays unchanged from the
 * task's reads to its write. Throws `unavailable` after ten seconds of waiting for another instance.
 * @param id record id of the entry
 * @param task gets a function to call right before the write; it throws `unavailable` if the lock was lost
 */
export function changeFile<T>(db: Db, id: number, task: (check: Check) => Promise<T>): Promise<T> {
  const _id = `changing-file-${id}`
  // A lock even for a single process: `media move` may run alongside it. The lease expires if a process dies.
  return runInOrder(db, _id, () =>
    withLock({ db, _id, singleProcess: false, tries: 200, busy }, task),
  )
}

const busy = () => notDone('The file is being changed by another request')
