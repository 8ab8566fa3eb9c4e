import type { Db, Document, MongoClient, UUID } from 'mongodb'

/** No living process leaves a transaction of a write alone for so long; one that did runs it again. */
const abandonedAfterMs = 2_000

/** How long a write has met others before it looks for those that nobody goes on with, and the pause between looks. */
export const lookAfterMs = 1_000

const lookedAt = new WeakMap<MongoClient, number>()

/**
 * Ends transactions of Quire's that nobody goes on with. What a killed or frozen process had written in one stays
 * locked for a minute (MongoDB's `transactionLifetimeLimitSeconds`), and every write of the same documents fails so
 * long. Where the database does not let its user look or end them, that minute is waited for.
 * @param db whose client tells by its name which transactions are Quire's
 */
export async function endAbandoned({ client }: Db): Promise<void> {
  const now = performance.now()
  if (now - (lookedAt.get(client) ?? -Infinity) < lookAfterMs) return
  lookedAt.set(client, now)
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
    // The write that asked goes on as it would have without.
  }
}
