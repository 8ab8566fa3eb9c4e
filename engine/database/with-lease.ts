import { setTimeout as sleep } from 'node:timers/promises'
import { createId } from '../values/create-id.js'
import type { Db } from 'mongodb'
import { isDuplicateKey } from './duplicate-key.js'

/** A lock in the form of a document. It expires unless its owner renews it. */
export type Lease = Readonly<{
  db: Db
  collection: string
  _id: string
  /** Whether no other process can use this database. An existing lease then belongs to a process that has ended. */
  singleProcess: boolean
  /** Called if the lease could not be renewed, so that other processes can acquire it. */
  lost: (error: unknown) => void
}>

type Held = Readonly<{ _id: string; owner: string; until: Date }>

const leaseMs = 5_000
const renewMs = 1_000
const pollMs = 50

/**
 * Runs a task while holding a lease. If the process dies, others wait for at most five seconds. All times are from the
 * database's clock.
 * @param task receives a function that throws if another process has acquired the lease. Call it before each
 * irreversible step
 * @param waiting called before each retry with the number of retries so far. If it throws, the waiting ends
 */
export async function withLease<T>(
  { db, collection, _id, singleProcess, lost }: Lease,
  task: (check: () => Promise<void>) => Promise<T>,
  waiting: (tries: number) => void,
): Promise<T> {
  const leases = db.collection<Held>(collection)
  const owner = createId()
  const lease = [{ $set: { owner, until: { $add: ['$$NOW', leaseMs] } } }]
  const isFree = singleProcess ? {} : { $expr: { $lt: ['$until', '$$NOW'] } }
  const take = async (): Promise<boolean> => {
    try {
      // Take over an expired lease, or insert a new one. Of several concurrent inserts, only one succeeds.
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

/** Thrown if the lease has expired and another process has acquired it. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`Another instance holds "${name}"`)
    this.name = 'LeaseLost'
  }
}
