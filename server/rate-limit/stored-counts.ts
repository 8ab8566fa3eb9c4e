import type { ClientRateLimitInfo, Store } from 'express-rate-limit'
import type { Collection, Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'
import type { SharedCounts } from '../http/routes/rate-limit.js'

/**
 * Attempts in the current window, by default a minute. At the last attempt, `leftMs` were left until `endsAt`. Times
 * are by the database's clock, because the clocks of instances differ.
 */
type Count = { _id: string; count: number; endsAt: Date; leftMs: number }

const collection = '_rateLimits'

/** Returns rate limit counters that all instances share. Each attempt takes one database command. */
export const storedCounts =
  (db: Db): SharedCounts =>
  () =>
    openStore(db.collection<Count>(collection))

/** Creates the TTL index that deletes past windows. */
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
