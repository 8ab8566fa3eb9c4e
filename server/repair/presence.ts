import { hostname } from 'node:os'
import { createId } from '../../engine/values/create-id.js'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { refuseExclusive, type Beside } from './exclusive.js'

/** This process among those that run over one database, as `_instances` shows them. */
export type Presence = Readonly<{
  /** Its `_id` there, and in what it leaves where it ends without a goodbye. */
  id: string
  /** Tells the others at once what this process is. */
  tell: () => Promise<void>
  /**
   * Processes that ended without saying so: nobody knows what they left half done. One that was looked after is told
   * of once more, when as much time has passed since.
   */
  findLost: (againMs: number) => Promise<readonly Lost[]>
  /** The others that were heard of lately. */
  findOthers: () => Promise<readonly Beside[]>
  /** It was looked after. */
  looked: (lost: Lost) => Promise<void>
  /** It was cleaned up after. @returns false where it was heard of since, and so lives */
  forget: (lost: Lost) => Promise<boolean>
  /** Says goodbye; without it the process counts as lost. */
  leave: () => Promise<void>
  /** Falls silent without a goodbye. */
  stop: () => void
  /** The same, and is to be looked after at once. */
  retire: () => Promise<void>
}>

export type Lost = Readonly<{
  _id: string
  seenAt: Date
  pid: number
  host: string
  /** Whether it noted what its writes were about to touch. */
  notes?: boolean
  /** Whether it was looked after before. */
  isLooked: boolean
}>

/** `looked`: when it was looked after, and when it had been heard of then: one that was heard of since is another case. */
type Instance = Omit<Lost, 'isLooked'> & Readonly<{ looked?: { at: Date; seenAt: Date } }>

export type PresenceOptions = Readonly<{
  log: Logger
  /** The version of the definitions that are served; 0 before. */
  schemaVersion: () => number
  /** The newest version that whatever it writes knows of; absent = it writes nothing by them. */
  knows?: () => number
  /** Whether no other process can run over this database, so that whoever is there has ended. */
  alone: boolean
  /** Whether its writes note what they are about to touch. */
  notes: boolean
  /** Whether it has the database for itself; default: it is refused where another has. */
  exclusive?: boolean
}>

const everyMs = 1_000

/** A process that was not heard of for this long has ended. */
const silenceMs = 5_000

const heardOfLately = { $gte: ['$seenAt', { $subtract: ['$$NOW', silenceMs] }] }

const collection = '_instances'

/**
 * Finds the processes over a database that were heard of lately.
 * @param own the `_id` of this process, which does not count
 */
export const findPresent = (db: Db, own?: string): Promise<readonly Beside[]> =>
  db
    .collection<Instance>(collection)
    .find({ _id: { $ne: own ?? '' }, $expr: heardOfLately }, { maxTimeMS: 5_000 })
    .map(({ pid, host }) => ({ pid, host }))
    .toArray()

/**
 * Tells other processes every second that this one runs. Times are the database's, which is one clock for all.
 * @throws where another process has the database for itself
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
      // One that is under way would put it back.
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
