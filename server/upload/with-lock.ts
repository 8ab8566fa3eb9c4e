import { LeaseLost, withLease, type Lease } from '../../engine/database/with-lease.js'

/** Call this before an irreversible step. Throws if another process may have taken the lock. */
export type Check = () => Promise<void>

type Lock = Omit<Lease, 'collection' | 'lost'> &
  Readonly<{
    lost?: Lease['lost']
    /** Number of retries, one every 50 ms. */
    tries: number
    /** Creates the error to throw if another process holds the lock. */
    busy: () => Error
  }>

/** Runs a task in one process at a time. Throws `busy()` if another process keeps the lock too long or seizes it. */
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
