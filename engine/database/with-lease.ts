import { setTimeout as sleep } from 'node:timers/promises'
import { createId } from '../values/create-id.js'
import type { Db } from 'mongodb'
import { isDuplicateKey } from './duplicate-key.js'

/** A document that one process at a time holds, and which ends by itself. */
export type Lease = Readonly<{
  db: Db
  collection: string
  _id: string
  /** Whether no other process can run over this database, so that a lease which is there was left behind. */
  alone: boolean
  /** Called when it could not be renewed: the others may take it. */
  lost: (error: unknown) => void
}>

type Held = Readonly<{ _id: string; owner: string; until: Date }>

const leaseMs = 5_000
const renewMs = 1_000
const pollMs = 50

/**
 * Runs a task in one process at a time. One that ends meanwhile holds up the others for five seconds at most;
 * times are the database's.
 * @param task gets a function that throws where the lease was lost: to be called before what cannot be undone
 * @param waiting called before each further try, how many there were; throws where it is not to be waited for
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
      // One that is over is taken over; where there is none, of several who make it one succeeds.
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

/** Somebody else holds it by now. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`Another instance holds "${name}"`)
    this.name = 'LeaseLost'
  }
}
