import type { Db, Document, MongoClient, UUID } from 'mongodb'

/** Milliseconds. A living process never leaves the transaction of a write idle for so long; one that did retries it. */
const abandonedAfterMs = 2_000

/**
 * Milliseconds of write conflicts before a write looks for abandoned transactions, and the pause between two such
 * checks.
 */
export const minIntervalMs = 1_000

const checkedAt = new WeakMap<MongoClient, number>()

/**
 * Ends abandoned transactions of Quire. What a killed or frozen process has written in one stays locked for a minute
 * (MongoDB's `transactionLifetimeLimitSeconds`), and every write of the same documents fails meanwhile. If the database
 * user may not list or end them, writes wait for that minute.
 * @param db its client's `appName` identifies the transactions of Quire
 */
export async function endAbandoned({ client }: Db): Promise<void> {
  const now = performance.now()
  if (now - (checkedAt.get(client) ?? -Infinity) < minIntervalMs) return
  checkedAt.set(client, now)
  const admin = client.db('admin')
  try {
    const abandoned = await admin
      .aggregate<{ lsid: { id: UUID } }>([
        { $currentOp: { allUsers: false, idleSessions: true } },
        {
          $match: {
            type: 'idleSession',
            appName: client.options.appName,
            'transaction.timeInactiveMicros': { $gte: abandonedAfterMs * 1_000 },
          },
        },
        { $project: { lsid: 1 } },
      ] satisfies Document[])
      .toArray()
    if (abandoned.length > 0)
      await admin.command({ killSessions: abandoned.map(({ lsid: { id } }) => ({ id })) })
  } catch {
    // The write goes on as it would without this.
  }
}
