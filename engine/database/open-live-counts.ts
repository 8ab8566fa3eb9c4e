import type { Db } from 'mongodb'
import { hasSnapshots, topologyOf } from './durability.js'
import { followedCounts } from './followed-counts.js'
import type { LiveCounts } from './live-counts.js'
import { ownCounts } from './live-counts.js'

/**
 * Opens the counts of a database's collections. Returns undefined if the writes of other processes cannot be followed:
 * on a standalone server, in a sharded cluster, and before MongoDB 5.0.
 * @param singleProcess whether no other process can write to the database
 */
export async function openLiveCounts(
  db: Db,
  { singleProcess }: Readonly<{ singleProcess: boolean }>,
): Promise<LiveCounts | undefined> {
  if ((await topologyOf(db)) === 'replica-set' && (await hasSnapshots(db)))
    return followedCounts(db)
  return singleProcess ? ownCounts(db) : undefined
}
