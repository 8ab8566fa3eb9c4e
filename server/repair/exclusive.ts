import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { isDuplicateKey } from '../../engine/database/duplicate-key.js'
import { steadyNow } from '../../engine/steady-now.js'
import { createId } from '../../engine/values/create-id.js'

/** A process that was heard of lately. */
export type Beside = Readonly<{ pid: number; host: string }>

/** A database of others that this service has for itself among the programs of Quire (`database.exclusive`). */
export type Exclusive = Readonly<{
  /**
   * Waits until those that were there before have ended, and looks after newcomers from then on.
   * @throws where they go on
   */
  begin: (others: () => Promise<readonly Beside[]>) => Promise<void>
  /** Whether nobody else writes at this moment. */
  isHeld: () => boolean
  stop: () => Promise<void>
}>

type Options = Readonly<{
  log: Logger
  /** Called where others may have written since it was held last. */
  regained: () => void
}>

type Held = Readonly<{ _id: string; owner: string; until: Date; pid: number; host: string }>

const collection = '_settings'
const _id = 'exclusive'

/** How long it is held without being renewed, by the database's clock, and how often it is renewed, in ms. */
const leaseMs = 5_000
const renewMs = 1_000
/** It counts as held for so much less by this process's clock, which may go a little slower. */
const marginMs = 500
/** How long one that is held by others is waited for: as long as one that was left behind lasts, and a little longer. */
const patienceMs = 7_000
const pauseMs = 250

/**
 * Refuses to be beside a service that has the database for itself. To be called when it can be seen that this program
 * is there: of two that look for each other at the same time at least one finds the other.
 * @throws Error that says who has it
 */
export async function refuseExclusive(db: Db): Promise<void> {
  const held = await holderOf(db)
  if (held !== null) throw new Error(`${told(held)} has this database for itself. ${advice}`)
}

/** @throws Error that says who is there, if somebody is */
export function refuseOthers([first]: readonly Beside[]): void {
  if (first !== undefined) throw new Error(`${told(first)} uses this database. ${advice}`)
}

/**
 * Takes a database for itself, to be called before anybody is told that this program is there.
 * @throws Error that says who else has it
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
      // Of several who make it where there is none one succeeds, and none where it is not free.
      if (matchedCount === 0) await leases.updateOne({ _id, owner }, mine, { upsert: true })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }
  let heldUntil = -Infinity
  const isHeld = (): boolean => steadyNow() < heldUntil
  for (const until = steadyNow() + patienceMs; !(await take()); await sleep(pauseMs)) {
    if (steadyNow() > until) await refuseExclusive(db)
  }
  let others: () => Promise<readonly Beside[]> = () => Promise.resolve([])
  let isBeside = false
  const renew = async (): Promise<void> => {
    const sentAt = steadyNow()
    const [beside] = (await take()) ? await others() : [somebody]
    if (beside === undefined) {
      // Between both somebody may have had it.
      if (!isHeld()) regained()
      heldUntil = sentAt + leaseMs - marginMs
    } else {
      heldUntil = -Infinity
      if (!isBeside) log.warn({ event: 'not-exclusive', beside }, notAlone)
    }
    isBeside = beside !== undefined
  }
  let renewing: Promise<void> | undefined
  const timer = setInterval(() => {
    renewing ??= renew()
      .catch((err: unknown) => log.warn({ err }, 'The exclusive use could not be renewed'))
      .finally(() => (renewing = undefined))
  }, renewMs)
  timer.unref()
  return {
    isHeld,
    begin: async (found) => {
      const until = steadyNow() + patienceMs
      for (let there = await found(); there.length > 0; there = await found()) {
        if (steadyNow() > until) refuseOthers(there)
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

const holderOf = (db: Db): Promise<Held | null> =>
  db.collection<Held>(collection).findOne({ _id, $expr: { $gte: ['$until', '$$NOW'] } })

const somebody: Beside = { pid: 0, host: 'another' }
const told = ({ pid, host }: Beside): string => `The program ${pid} on ${host}`
const advice =
  'With database.exclusive a service is the only one over its database: stop the other.'
const notAlone =
  'Another program uses the database that this one has for itself (database.exclusive); answers are not kept meanwhile'
