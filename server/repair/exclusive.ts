import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { isDuplicateKey } from '../../engine/database/duplicate-key.js'
import { monotonicNow } from '../../engine/monotonic-now.js'
import { createId } from '../../engine/values/create-id.js'

/** Another process that uses the database, as shown by its recent heartbeat. */
export type OtherProcess = Readonly<{ pid: number; host: string }>

/** Ensures that no other Quire process uses an external database (`database.exclusive`). */
export type Exclusive = Readonly<{
  /**
   * Waits until all other processes that use the database have ended. After that, checks regularly for new ones.
   * @throws if the other processes do not end
   */
  begin: (others: () => Promise<readonly OtherProcess[]>) => Promise<void>
  /** Whether this process certainly has exclusive use of the database now. */
  isHeld: () => boolean
  stop: () => Promise<void>
}>

type Options = Readonly<{
  log: Logger
  /** Called when this process regains exclusive use. Other processes may have written since it was lost. */
  regained: () => void
}>

type Held = Readonly<{ _id: string; owner: string; until: Date; pid: number; host: string }>

const collection = '_settings'
const _id = 'exclusive'

/** Duration of the lease, by the database's clock, and interval at which it is renewed. Both in milliseconds. */
const leaseMs = 5_000
const renewMs = 1_000
/**
 * This process treats its lease as ended this many milliseconds early, because its own clock may run slightly slower
 * than the database's.
 */
const marginMs = 500
/**
 * How long to wait for another process to release its lease, in milliseconds: slightly longer than the lease of a dead
 * process lasts.
 */
const waitTimeoutMs = 7_000
const pauseMs = 250

/**
 * Throws if a service uses the database exclusively. Must be called after the first heartbeat of this process. Then, of
 * two processes that check at the same time, at least one finds the other.
 * @throws Error that names the other process
 */
export async function refuseExclusive(db: Db): Promise<void> {
  const held = await currentLock(db)
  if (held !== null)
    throw new Error(`${describeProcess(held)} uses this database exclusively. ${advice}`)
}

/**
 * Throws if there are other processes.
 * @throws Error that names the first of them
 */
export function refuseOthers([first]: readonly OtherProcess[]): void {
  if (first !== undefined)
    throw new Error(`${describeProcess(first)} uses this database. ${advice}`)
}

/**
 * Acquires exclusive use of a database. Call it before the first heartbeat of this process.
 * @throws Error that names the process that uses the database exclusively
 */
export async function takeExclusive(db: Db, { log, regained }: Options): Promise<Exclusive> {
  const leases = db.collection<Held>(collection)
  const owner = createId()
  const own = { owner, pid: process.pid, host: hostname() }
  const take = async (): Promise<boolean> => {
    const mine = [{ $set: { ...own, until: { $add: ['$$NOW', leaseMs] } } }]
    const isFree = { $or: [{ owner }, { $expr: { $lt: ['$until', '$$NOW'] } }] }
    try {
      const { matchedCount } = await leases.updateOne({ _id, ...isFree }, mine)
      // If no lease exists, several processes may try to insert one, and one of them succeeds. If another process holds
      // a lease, the insert fails.
      if (matchedCount === 0) await leases.updateOne({ _id, owner }, mine, { upsert: true })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }
  let heldUntil = -Infinity
  const isHeld = (): boolean => monotonicNow() < heldUntil
  for (const until = monotonicNow() + waitTimeoutMs; !(await take()); await sleep(pauseMs)) {
    if (monotonicNow() > until) await refuseExclusive(db)
  }
  let others: () => Promise<readonly OtherProcess[]> = () => Promise.resolve([])
  let hasOther = false
  const renew = async (): Promise<void> => {
    const sentAt = monotonicNow()
    const [otherProcess] = (await take()) ? await others() : [somebody]
    if (otherProcess === undefined) {
      // Another process may have held the lease since this process lost it.
      if (!isHeld()) regained()
      heldUntil = sentAt + leaseMs - marginMs
    } else {
      heldUntil = -Infinity
      if (!hasOther) log.warn({ event: 'not-exclusive', beside: otherProcess }, notAlone)
    }
    hasOther = otherProcess !== undefined
  }
  let renewing: Promise<void> | undefined
  const timer = setInterval(() => {
    renewing ??= renew()
      .catch((err: unknown) =>
        log.warn({ err }, 'The exclusive use of the database could not be renewed'),
      )
      .finally(() => (renewing = undefined))
  }, renewMs)
  timer.unref()
  return {
    isHeld,
    begin: async (found) => {
      const until = monotonicNow() + waitTimeoutMs
      for (let there = await found(); there.length > 0; there = await found()) {
        if (monotonicNow() > until) refuseOthers(there)
        await sleep(pauseMs)
      }
      others = found
      await renew()
    },
    stop: async () => {
      heldUntil = -Infinity
      clearInterval(timer)
      await renewing
      await leases.deleteOne({ _id, owner })
    },
  }
}

const currentLock = (db: Db): Promise<Held | null> =>
  db.collection<Held>(collection).findOne({ _id, $expr: { $gte: ['$until', '$$NOW'] } })

const somebody: OtherProcess = { pid: 0, host: 'another' }
const describeProcess = ({ pid, host }: OtherProcess): string => `The process ${pid} on ${host}`
const advice =
  'With database.exclusive, a service must be the only one on its database. Stop the other process.'
const notAlone =
  'Another process uses the database, although database.exclusive is set. Responses are not cached meanwhile'
