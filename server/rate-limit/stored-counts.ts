import type { ClientRateLimitInfo, Store } from 'express-rate-limit'
import type { Collection, Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'
import type { SharedCounts } from '../http/routes/rate-limit.js'

/**
 * A record of `_rateLimits`. `count` is the number of attempts within a minute that ends at `endsAt`. `leftMs` is the
 * rest of that minute at the last attempt. Times are the database's, because the clocks of instances differ and may be
 * adjusted.
 */
type Count = { _id: string; count: number; endsAt: Date; leftMs: number }

const collection = '_rateLimits'

/** Counters of rate limits that all instances of a database share. Each attempt takes one command. */
export const storedCounts =
  (db: Db): SharedCounts =>
  () =>
    openStore(db.collection<Count>(collection))

/** Creates the index by which the database deletes minutes that are over. */
export async function prepareStoredCounts(db: Db): Promise<void> {
  await db.collection(collection).createIndex({ endsAt: 1 }, { expireAfterSeconds: 0 })
}

function openStore(counts: Collection<Count>): Store {
  let windowMs = 60_000

  const raise = async (key: string): Promise<ClientRateLimitInfo> => {
    const running = { $gt: ['$endsAt', '$$NOW'] }
    const document = await counts.findOneAndUpdate(
      { _id: key },
      [
        {
          $set: {
            count: { $cond: [running, { $add: ['$count', 1] }, 1] },
            endsAt: { $cond: [running, '$endsAt', { $add: ['$$NOW', windowMs] }] },
          },
        },
        { $set: { leftMs: { $subtract: ['$endsAt', '$$NOW'] } } },
      ],
      { upsert: true, returnDocument: 'after' },
    )
    const { count = 1, leftMs = windowMs } = document ?? {}
    return { totalHits: count, resetTime: new Date(Date.now() + Number(leftMs)) }
  }

  return {
    localKeys: false,
    init: (options) => void (windowMs = options.windowMs),
    increment: (key) => asFirstWriter(() => raise(key)),
    decrement: async (key) => void (await counts.updateOne({ _id: key }, { $inc: { count: -1 } })),
    resetKey: async (key) => void (await counts.deleteOne({ _id: key })),
  }
}
