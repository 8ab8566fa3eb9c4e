import { hostname } from 'node:os'
import { createId } from '../../engine/values/create-id.js'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { refuseExclusive, type OtherProcess } from './exclusive.js'

/** The heartbeat of this process, stored in `_instances`. */
export type Heartbeat = Readonly<{
  /** `_id` of this process in `_instances` and in its journal. */
  id: string
  beat: () => Promise<void>
  /**
   * Finds processes that may have left unfinished writes, because they ended without a graceful shutdown. Returns each
   * process a second time, `againMs` after `markHandled`.
   */
  findLost: (againMs: number) => Promise<readonly Lost[]>
  /** Finds other processes with a recent heartbeat. */
  findOthers: () => Promise<readonly OtherProcess[]>
  /** Records that a lost process's writes were repaired. */
  markHandled: (lost: Lost) => Promise<void>
  /**
   * Removes a lost process from `_instances`.
   * @returns false if it has sent a heartbeat meanwhile
   */
  forget: (lost: Lost) => Promise<boolean>
  /** Records that this process ended gracefully. A process that does not call this counts as lost. */
  leave: () => Promise<void>
  /** Only stops the heartbeat. After a few seconds, the process counts as lost. */
  stop: () => void
  /** Stops the heartbeat, and makes the process count as lost at once. */
  retire: () => Promise<void>
}>

export type Lost = Readonly<{
  _id: string
  seenAt: Date
  pid: number
  host: string
  notes?: boolean
  /** Whether `markHandled` was called after the last heartbeat of the process. */
  isHandled: boolean
}>

/**
 * `looked`: when `markHandled` was called (`at`), and the last heartbeat before that (`seenAt`). Invalid after a later
 * heartbeat.
 */
type Instance = Omit<Lost, 'isHandled'> & Readonly<{ looked?: { at: Date; seenAt: Date } }>

export type HeartbeatOptions = Readonly<{
  log: Logger
  /** Version of the served definitions; 0 before any are loaded. */
  schemaVersion: () => number
  /**
   * Oldest version of the definitions that a running write uses; if none runs, the newest. Absent for commands, which
   * do not poll for definitions.
   */
  knows?: () => number
  /** Whether only this process can use the database. Then all others in `_instances` have ended. */
  singleProcess: boolean
  /** Whether this process writes a journal of its writes. */
  notes: boolean
  /**
   * Whether this process uses the database exclusively. Otherwise, `startHeartbeat` checks that no other process does.
   */
  exclusive?: boolean
}>

const everyMs = 1_000

/** A process without a heartbeat for this long counts as ended. */
const silenceMs = 5_000

const hasRecentHeartbeat = { $gte: ['$seenAt', { $subtract: ['$$NOW', silenceMs] }] }

const collection = '_instances'

/**
 * Finds the processes with a recent heartbeat in a database.
 * @param own `_id` of this process, which is not returned
 */
export const findRunning = (db: Db, own?: string): Promise<readonly OtherProcess[]> =>
  db
    .collection<Instance>(collection)
    .find({ _id: { $ne: own ?? '' }, $expr: hasRecentHeartbeat }, { maxTimeMS: 5_000 })
    .map(({ pid, host }) => ({ pid, host }))
    .toArray()

/**
 * Writes a heartbeat to the database every second. Its time is that of the database's clock, which all processes share.
 * @throws if another process uses the database exclusively
 */
export async function startHeartbeat(
  db: Db,
  { log, schemaVersion, knows, singleProcess, notes, exclusive = false }: HeartbeatOptions,
): Promise<Heartbeat> {
  const instances = db.collection<Instance>(collection)
  const _id = createId()
  const own = { pid: process.pid, host: hostname(), notes }
  const startedAt = { $ifNull: ['$startedAt', '$$NOW'] }
  const sendHeartbeat = () => {
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
  const isHandled = { $eq: ['$looked.seenAt', '$seenAt'] }
  const silence = { $subtract: ['$$NOW', singleProcess ? 0 : silenceMs] }

  await sendHeartbeat()
  if (!singleProcess && !exclusive)
    await refuseExclusive(db).catch(async (error: unknown) => {
      await instances.deleteOne({ _id })
      throw error
    })
  let beating: Promise<void> | undefined
  let hasEnded = false
  const timer = setInterval(() => {
    beating ??= sendHeartbeat()
      .then(() => undefined)
      .catch((err: unknown) =>
        log.warn({ err }, 'The heartbeat could not be written to the database'),
      )
      .finally(() => (beating = undefined))
  }, everyMs)
  timer.unref()
  return {
    id: _id,
    beat: async () => {
      if (!hasEnded) await sendHeartbeat()
    },
    findLost: async (againMs) => {
      const again = { $subtract: ['$$NOW', againMs] }
      const isOpen = { $or: [{ $not: [isHandled] }, { $lt: ['$looked.at', again] }] }
      return others({ $and: [{ $lt: ['$seenAt', silence] }, isOpen] })
        .map(({ looked, ...lost }): Lost => {
          return { ...lost, isHandled: looked?.seenAt.getTime() === lost.seenAt.getTime() }
        })
        .toArray()
    },
    findOthers: () => findRunning(db, _id),
    markHandled: async ({ _id, seenAt }) => {
      const looked = { at: '$$NOW', seenAt: '$seenAt' }
      await instances.updateOne({ _id, seenAt }, [{ $set: { looked } }])
    },
    forget: async ({ _id, seenAt }) =>
      (await instances.deleteOne({ _id, seenAt })).deletedCount > 0,
    leave: async () => {
      if (hasEnded) return
      hasEnded = true
      clearInterval(timer)
      // Wait for a heartbeat in flight, which would insert the record again.
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
