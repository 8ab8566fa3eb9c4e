import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Filter } from 'mongodb'
import { steadyNow } from '../../engine/steady-now.js'

/** What an instance writes with its heartbeat. Definitions are named by their version in `_schemas`. */
type Instance = Readonly<{
  _id: string
  pid: number
  host: string
  /** Those that it serves; 0 while it starts. */
  schemaVersion: number
  /** The newest that all its requests know; programs that serve without looking say nothing. */
  knows?: number
}>

/** One that was not heard of for this long has ended. */
const silenceMs = 5_000
/** How long a start waits for others to have seen its definitions, in milliseconds. */
const patienceMs = 15_000
const pollMs = 50

const isHeardOf = { $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', silenceMs] }] } }

/** Returns a running instance that matches the filter; null if there is none. */
export const findInstance = (db: Db, filter: Filter<Instance> = {}): Promise<Instance | null> =>
  db.collection<Instance>('_instances').findOne({ ...filter, ...isHeardOf }, { maxTimeMS: 5_000 })

/** Whether an instance that runs serves definitions from before a version. */
export const servesOlder = async (db: Db, version: number): Promise<boolean> =>
  (await findInstance(db, { schemaVersion: { $gt: 0, $lt: version } })) !== null

/**
 * Waits until every instance that runs knows of the definitions of a version; whether they all do, in the end. `signal`
 * ends the waiting, which then rejects.
 */
export async function whenKnown(db: Db, version: number, signal?: AbortSignal): Promise<boolean> {
  for (const until = steadyNow() + patienceMs; steadyNow() < until;) {
    if ((await findInstance(db, { knows: { $lt: version } })) === null) return true
    await sleep(pollMs, undefined, { signal })
  }
  return false
}
