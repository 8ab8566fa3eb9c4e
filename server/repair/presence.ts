import { hostname } from 'node:os'
import { createId } from '@paralleldrive/cuid2'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { storageFormat } from '../../engine/database/storage-format.js'

/** This process among those that run over one database, as `_instances` shows them. */
export type Presence = Readonly<{
  /** Its `_id` there. */
  id: string
  /** The database is one that this process knows: from here on it may write. */
  started: () => void
  /** Processes that ended without saying so: nobody knows what they left half done. */
  findLost: () => Promise<readonly Lost[]>
  /** Whether some processes were heard of lately that may have ended since. */
  hasRecent: () => Promise<boolean>
  /** They were cleaned up after. */
  forget: (lost: readonly Lost[]) => Promise<void>
  /** Says goodbye; without it the process counts as lost. */
  leave: () => Promise<void>
  /** Falls silent without a goodbye. */
  stop: () => void
}>

export type Lost = Readonly<{ _id: string; seenAt: Date; pid: number; host: string }>

export type PresenceOptions = Readonly<{
  log: Logger
  schemaVersion: () => number
  /** Whether no other process can run over this database, so that whoever is there has ended. */
  alone: boolean
}>

const everyMs = 1_000

/** A process that was not heard of for this long has ended. */
export const silenceMs = 5_000

const collection = '_instances'

/** Tells other processes every second that this one runs. Times are the database's, which is one clock for all. */
export async function openPresence(
  db: Db,
  { log, schemaVersion, alone }: PresenceOptions,
): Promise<Presence> {
  const instances = db.collection<Lost>(collection)
  const _id = createId()
  // Those of programs that know format 1 alone say nothing of it.
  const own = { pid: process.pid, host: hostname(), format: storageFormat }
  const startedAt = { $ifNull: ['$startedAt', '$$NOW'] }
  let isStarting = true
  const beat = () => {
    const shown = {
      ...own,
      ...{ starting: isStarting, schemaVersion: schemaVersion(), seenAt: '$$NOW', startedAt },
    }
    return instances.updateOne({ _id }, [{ $set: shown }], { upsert: true })
  }
  const others = (seenAt: object) =>
    instances.find({ _id: { $ne: _id }, $expr: seenAt }, { maxTimeMS: 5_000 })
  const silence = { $subtract: ['$$NOW', alone ? 0 : silenceMs] }

  await beat()
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
    started: () => {
      isStarting = false
    },
    findLost: () => others({ $lt: ['$seenAt', silence] }).toArray(),
    hasRecent: async () => (await others({ $gte: ['$seenAt', silence] }).toArray()).length > 0,
    forget: async (lost) => {
      for (const { _id, seenAt } of lost) await instances.deleteOne({ _id, seenAt })
    },
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
  }
}
