import { setTimeout as sleep } from 'node:timers/promises'
import { createId } from '@paralleldrive/cuid2'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { isDuplicateKey } from '../../engine/database/duplicate-key.js'

type Lock = Readonly<{ _id: string; owner: string; until: Date }>

const leaseMs = 5_000
const renewMs = 1_000
const pollMs = 50

/**
 * Runs what reads and changes the schema of a database in one instance at a time. One that ends meanwhile
 * holds up the others for five seconds at most; times are the database's.
 * @param task gets a function that throws where the lock was lost: to be called before what cannot be undone
 * @param alone whether no other process can run over this database, so that a lock which is there was left behind
 */
export async function withSchemaLock<T>(
  { db, log, alone = false }: Readonly<{ db: Db; log: Logger; alone?: boolean | undefined }>,
  task: (check: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const locks = db.collection<Lock>('_schemas')
  const owner = createId()
  const lease = [{ $set: { owner, until: { $add: ['$$NOW', leaseMs] } } }]
  const isFree = alone ? {} : { $expr: { $lt: ['$until', '$$NOW'] } }
  const take = async (): Promise<boolean> => {
    try {
      // One that is over is taken over; where there is none, of several who make it one succeeds.
      const { matchedCount } = await locks.updateOne({ _id: 'lock', ...isFree }, lease)
      if (matchedCount === 0) await locks.updateOne({ _id: 'lock', owner }, lease, { upsert: true })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }
  const renew = async (): Promise<void> => {
    const { matchedCount } = await locks.updateOne({ _id: 'lock', owner }, lease)
    if (matchedCount === 0) throw new Error('Another instance is changing the schema; start again')
  }

  for (let tries = 0; !(await take()); tries += 1) {
    if (tries === 20)
      log.info('Waiting for another instance that is reading or changing the schema')
    await sleep(pollMs)
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, 'The lock of the schema was lost'))
  }, renewMs)
  try {
    return await task(renew)
  } finally {
    clearInterval(timer)
    await locks.deleteOne({ _id: 'lock', owner })
  }
}
