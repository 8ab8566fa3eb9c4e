import { LeaseLost, withLease, type Lease } from '../../engine/database/with-lease.js'

/** Call it before what cannot be undone. It throws if another process may have begun. */
export type Check = () => Promise<void>

type Lock = Omit<Lease, 'collection' | 'lost'> &
  Readonly<{
    lost?: Lease['lost']
    /** How often the lock is asked for again, each time after 50 ms. */
    tries: number
    /** Makes the error for a lock that others hold. */
    busy: () => Error
  }>

/** Runs a task in one process at a time. Throws `busy()` if others hold the lock for too long, or took it meanwhile. */
export async function withLock<T>(
  { tries, busy, lost = () => undefined, ...lease }: Lock,
  task: (check: Check) => Promise<T>,
): Promise<T> {
  try {
    return await withLease({ ...lease, lost, collection: '_settings' }, task, (tried) => {
      if (tried >= tries) throw busy()
    })
  } catch (error) {
    throw error instanceof LeaseLost ? busy() : error
  }
}
