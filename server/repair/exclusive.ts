import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { isDuplicateKey } from '../../engine/database/duplicate-key.js'
import { monotonicNow } from '../../engine/monotonic-now.js'
import { createId } from '../../engine/values/create-id.js'

/** Another process with a recent heartbeat in the database. */
export type OtherProcess = Readonly<{ pid: number; host: string }>

/** Ensures that no other Quire process uses an external database (`database.exclusive`). */
export type Exclusive = Readonly<{
  /**
   * Waits until all other processes that use the database have ended, then checks regularly for new ones.
   * @throws if they do not end
   */
  begin: (others: () => Promise<readonly OtherProcess[]>) => Promise<void>
  /** Whether this process certainly has exclusive use now. */
  isHeld: () => boolean
  stop: () => Promise<void>
}>

type Options = Readonly<{
  log: Logger
  /** Called when this process regains exclusive use. Others may have written meanwhile. */
  regained: () => void
}>

type Held = Readonly<{ _id: string; owner: string; until: Date; pid: number; host: string }>

const collection = '_settings'
const _id = 'exclusive'

/** Duration of the lease by the database's clock, and interval of its renewal. */
const leaseMs = 5_000
const renewMs = 1_000
/** How much earlier this process treats its lease as ended, because its clock may be slower than the database's. */
const marginMs = 500
/** How long to wait for another process's lease to end: slightly longer than the lease of a dead process lasts. */
const waitTimeoutMs = 7_000
const pauseMs = 250

/**
 * Called after the first heartbeat. So of two processes that check at once, at least one finds the other.
 * @throws Error that names the process that uses the database exclusively
 */
export async function refuseExclusive(db: Db): Promise<void> {
  const held = await currentLock(db)
  if (held !== null)
    throw new Error(`${describeProcess(held)} uses this database exclusively. ${advice}`)
}

/** @throws Error that names the first other process, if there is one */
export function refuseOthers([first]: readonly OtherProcess[]): void {
  if (first !== undefined)
    throw new Error(`${describeProcess(first)} uses this database. ${advice}`)
}

/**
 * Acquires exclusive use of a database. Called before the first heartbeat.
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
      // Inserts the first lease. If another process has inserted one or holds one, this fails because of the duplicate
      // `_id`.
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
      // This process did not hold the lease until now, so another process may have held it and written.
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
