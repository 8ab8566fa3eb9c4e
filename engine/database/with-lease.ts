import { setTimeout as sleep } from 'node:timers/promises'
import { createId } from '../values/create-id.js'
import type { Db } from 'mongodb'
import { isDuplicateKey } from './duplicate-key.js'

/** A document that only one process holds at a time, and that expires. */
export type Lease = Readonly<{
  db: Db
  collection: string
  _id: string
  /** Whether no other process can use this database, so that an existing lease was left by a previous process. */
  alone: boolean
  /** Called if the lease could not be renewed, so that other processes may take it. */
  lost: (error: unknown) => void
}>

type Held = Readonly<{ _id: string; owner: string; until: Date }>

const leaseMs = 5_000
const renewMs = 1_000
const pollMs = 50

/**
 * Runs a task in one process at a time. If that process dies, the other processes wait for at most five seconds. All
 * times come from the database's clock.
 * @param task gets a function that throws if the lease was lost. The task must call it before each irreversible step
 * @param waiting called before each further try with the number of tries so far; throws to stop waiting
 */
export async function withLease<T>(
  { db, collection, _id, alone, lost }: Lease,
  task: (check: () => Promise<void>) => Promise<T>,
  waiting: (tries: number) => void,
): Promise<T> {
  const leases = db.collection<Held>(collection)
  const owner = createId()
  const lease = [{ $set: { owner, until: { $add: ['$$NOW', leaseMs] } } }]
  const isFree = alone ? {} : { $expr: { $lt: ['$until', '$$NOW'] } }
  const take = async (): Promise<boolean> => {
    try {
      // Takes over an expired lease. If there is none, only one of several concurrent inserts succeeds.
      const { matchedCount } = await leases.updateOne({ _id, ...isFree }, lease)
      if (matchedCount === 0) await leases.updateOne({ _id, owner }, lease, { upsert: true })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }
  const renew = async (): Promise<void> => {
    const { matchedCount } = await leases.updateOne({ _id, owner }, lease)
    if (matchedCount === 0) throw new LeaseLost(_id)
  }

  for (let tries = 0; !(await take()); tries += 1) {
    waiting(tries)
    await sleep(pollMs)
  }
  const timer = setInterval(() => void renew().catch(lost), renewMs)
  try {
    return await task(renew)
  } finally {
    clearInterval(timer)
    await leases.deleteOne({ _id, owner })
  }
}

/** Thrown if another process holds the lease by now. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`Another instance holds "${name}"`)
    this.name = 'LeaseLost'
  }
}
