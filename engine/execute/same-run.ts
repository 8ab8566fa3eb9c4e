import type { Db } from 'mongodb'
import { connectionsLost } from '../database-client.js'
import { InterruptedWrite } from '../database-errors.js'
import { topologyOf } from './write-concern.js'

/**
 * Only the last step of a write waits for the journal, because the log is sequential (docs/storage.md, "Rule
 * 9: the last step waits for the disk"). It is so as long as one database process runs: where it dies between
 * two steps and is back before the next, the first may be lost and the last acknowledged. Call this when the
 * first step is done, and what it returns after the last one.
 * @returns throws `InterruptedWrite` where the database was lost meanwhile
 */
export async function sameRun(db: Db): Promise<() => void> {
  // Elsewhere a step is only acknowledged when a restart cannot lose it.
  if ((await topologyOf(db)) !== 'standalone') return () => undefined
  const before = connectionsLost(db.client)
  return () => {
    if (connectionsLost(db.client) !== before) throw new InterruptedWrite()
  }
}
