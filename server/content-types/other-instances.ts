import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Filter } from 'mongodb'
import { monotonicNow } from '../../engine/monotonic-now.js'

/** The data that an instance writes with its heartbeat. Definitions are identified by their version in `_schemas`. */
type Instance = Readonly<{
  _id: string
  pid: number
  host: string
  /** The version of the definitions that the instance uses; 0 while it starts. */
  schemaVersion: number
  /**
   * The newest version of the definitions that all in-flight requests of the instance know. Absent for programs that do
   * not poll for newer definitions.
   */
  knows?: number
}>

/** Time without a heartbeat, in milliseconds, after which an instance counts as ended. */
const silenceMs = 5_000
/** Maximum time that a starting instance waits until other instances know its definitions, in milliseconds. */
const waitTimeoutMs = 15_000
const pollMs = 50

const hasRecentHeartbeat = { $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', silenceMs] }] } }

/** Returns a running instance that matches the filter; null if there is none. */
export const findInstance = (db: Db, filter: Filter<Instance> = {}): Promise<Instance | null> =>
  db
    .collection<Instance>('_instances')
    .findOne({ ...filter, ...hasRecentHeartbeat }, { maxTimeMS: 5_000 })

/** Returns whether a running instance uses definitions that are older than a version. */
export const servesOlder = async (db: Db, version: number): Promise<boolean> =>
  (await findInstance(db, { schemaVersion: { $gt: 0, $lt: version } })) !== null

/**
 * Waits until every running instance knows a version of the definitions. Returns false if some instance still does not
 * know it after the timeout. Rejects if `signal` is aborted.
 */
export async function whenKnown(db: Db, version: number, signal?: AbortSignal): Promise<boolean> {
  for (const until = monotonicNow() + waitTimeoutMs; monotonicNow() < until;) {
    if ((await findInstance(db, { knows: { $lt: version } })) === null) return true
    await sleep(pollMs, undefined, { signal })
  }
  return false
}
