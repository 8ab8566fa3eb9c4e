import { hostname } from 'node:os'
import { createId } from '../../engine/values/create-id.js'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { refuseExclusive, type Beside } from './exclusive.js'

/** The heartbeat of this process among those over one database, in `_instances`. */
export type Presence = Readonly<{
  /** Its `_id` there, and in its journal. */
  id: string
  /** Sends a heartbeat at once. */
  tell: () => Promise<void>
  /**
   * Finds processes that ended without a graceful shutdown, so that they may have left unfinished writes. One that was
   * handled is returned again after `againMs`.
   */
  findLost: (againMs: number) => Promise<readonly Lost[]>
  /** Finds the other processes with a recent heartbeat. */
  findOthers: () => Promise<readonly Beside[]>
  /** Marks a lost process as handled. */
  looked: (lost: Lost) => Promise<void>
  /** Removes a lost process. @returns false if it has sent a heartbeat since, and so lives */
  forget: (lost: Lost) => Promise<boolean>
  /** Ends gracefully. Otherwise the process counts as lost. */
  leave: () => Promise<void>
  /** Ends the heartbeat only, so that the process counts as lost after a while. */
  stop: () => void
  /** The same, but the process counts as lost at once. */
  retire: () => Promise<void>
}>

export type Lost = Readonly<{
  _id: string
  seenAt: Date
  pid: number
  host: string
  /** Whether it kept a journal of its writes. */
  notes?: boolean
  /** Whether it was handled before. */
  isLooked: boolean
}>

/** `looked`: when the process was handled, and its last heartbeat by then. A later heartbeat makes it a new case. */
type Instance = Omit<Lost, 'isLooked'> & Readonly<{ looked?: { at: Date; seenAt: Date } }>

export type PresenceOptions = Readonly<{
  log: Logger
  /** Version of the served definitions; 0 before there are any. */
  schemaVersion: () => number
  /** Newest version that all its writes know; absent = it writes nothing that depends on definitions. */
  knows?: () => number
  /** Whether no other process can use this database, so that all others in the list have ended. */
  alone: boolean
  /** Whether it keeps a journal of its writes. */
  notes: boolean
  /** Whether it uses the database exclusively; default: it throws if another process does. */
  exclusive?: boolean
}>

const everyMs = 1_000

/** A process without a heartbeat for this long has ended. */
const silenceMs = 5_000

const heardOfLately = { $gte: ['$seenAt', { $subtract: ['$$NOW', silenceMs] }] }

const collection = '_instances'

/**
 * Finds the processes over a database with a recent heartbeat.
 * @param own the `_id` of this process, which is left out
 */
export const findPresent = (db: Db, own?: string): Promise<readonly Beside[]> =>
  db
    .collection<Instance>(collection)
    .find({ _id: { $ne: own ?? '' }, $expr: heardOfLately }, { maxTimeMS: 5_000 })
    .map(({ pid, host }) => ({ pid, host }))
    .toArray()

/**
 * Sends a heartbeat every second. Times are the database's, the common clock of all processes.
 * @throws if another process uses the database exclusively
 */
export async function openPresence(
  db: Db,
  { log, schemaVersion, knows, alone, notes, exclusive = false }: PresenceOptions,
): Promise<Presence> {
  const instances = db.collection<Instance>(collection)
  const _id = createId()
  const own = { pid: process.pid, host: hostname(), notes }
  const startedAt = { $ifNull: ['$startedAt', '$$NOW'] }
  const beat = () => {
    const shown = {
      ...own,
      ...(knows === undefined ? {} : { knows: knows() }),
      schemaVersion: schemaVersion(),
      seenAt: '$$NOW',
      startedAt,
    }
    return instances.updateOne({ _id }, [{ $set: shown }], { upsert: true })
  }
  const others = (seenAt: object) =>
    instances.find({ _id: { $ne: _id }, $expr: seenAt }, { maxTimeMS: 5_000 })
  const isLooked = { $eq: ['$looked.seenAt', '$seenAt'] }
  const silence = { $subtract: ['$$NOW', alone ? 0 : silenceMs] }

  await beat()
  if (!alone && !exclusive)
    await refuseExclusive(db).catch(async (error: unknown) => {
      await instances.deleteOne({ _id })
      throw error
    })
  let beating: Promise<void> | undefined
  let hasEnded = false
  const timer = setInterval(() => {
    beating ??= beat()
      .then(() => undefined)
      .catch((err: unknown) => log.warn({ err }, 'The database could not be told that this runs'))
      .finally(() => (beating = undefined))
  }, everyMs)
  timer.unref()
  return {
    id: _id,
    tell: async () => {
      if (!hasEnded) await beat()
    },
    findLost: async (againMs) => {
      const again = { $subtract: ['$$NOW', againMs] }
      const isOpen = { $or: [{ $not: [isLooked] }, { $lt: ['$looked.at', again] }] }
      return others({ $and: [{ $lt: ['$seenAt', silence] }, isOpen] })
        .map(({ looked, ...lost }): Lost => {
          return { ...lost, isLooked: looked?.seenAt.getTime() === lost.seenAt.getTime() }
        })
        .toArray()
    },
    findOthers: () => findPresent(db, _id),
    looked: async ({ _id, seenAt }) => {
      const looked = { at: '$$NOW', seenAt: '$seenAt' }
      await instances.updateOne({ _id, seenAt }, [{ $set: { looked } }])
    },
    forget: async ({ _id, seenAt }) =>
      (await instances.deleteOne({ _id, seenAt })).deletedCount > 0,
    leave: async () => {
      if (hasEnded) return
      hasEnded = true
      clearInterval(timer)
      // A heartbeat in flight would insert it again.
      await beating
      await instances.deleteOne({ _id })
    },
    stop: () => {
      hasEnded = true
      clearInterval(timer)
    },
    retire: async () => {
      hasEnded = true
      clearInterval(timer)
      await beating
      await instances.updateOne({ _id }, { $set: { seenAt: new Date(0) } })
    },
  }
}
