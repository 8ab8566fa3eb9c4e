import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Filter } from 'mongodb'
import { monotonicNow } from '../../engine/monotonic-now.js'

/** What an instance writes with its heartbeat. */
type Instance = Readonly<{
  _id: string
  pid: number
  host: string
  /** Version of the definitions in use; 0 while the instance starts. */
  schemaVersion: number
  /** The newest version that all in-flight requests know. Absent for programs that do not poll for definitions. */
  knows?: number
}>

/** Milliseconds without a heartbeat after which an instance counts as ended. */
const silenceMs = 5_000
/** Milliseconds that a starting instance waits for others to know its definitions. */
const waitTimeoutMs = 15_000
const pollMs = 50

const hasRecentHeartbeat = { $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', silenceMs] }] } }

/** Returns a running instance that matches; null if none does. */
export const findInstance = (db: Db, filter: Filter<Instance> = {}): Promise<Instance | null> =>
  db
    .collection<Instance>('_instances')
    .findOne({ ...filter, ...hasRecentHeartbeat }, { maxTimeMS: 5_000 })

/** Returns whether a running instance uses older definitions. */
export const servesOlder = async (db: Db, version: number): Promise<boolean> =>
  (await findInstance(db, { schemaVersion: { $gt: 0, $lt: version } })) !== null

/** Waits until every running instance knows a version. Returns false on timeout. Rejects if `signal` is aborted. */
export async function whenKnown(db: Db, version: number, signal?: AbortSignal): Promise<boolean> {
  for (const until = monotonicNow() + waitTimeoutMs; monotonicNow() < until;) {
    if ((await findInstance(db, { knows: { $lt: version } })) === null) return true
    await sleep(pollMs, undefined, { signal })
  }
  return false
}
