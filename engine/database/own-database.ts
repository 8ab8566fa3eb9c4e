import type { Db, MongoClient } from 'mongodb'
import { topologyOf } from './durability.js'

/** How long a write is waited for that the majority does not acknowledge. */
const wtimeoutMS = 10_000

/**
 * The database that a client's URI names. On replica sets and sharded clusters every write waits for the majority
 * unless it says otherwise, whatever the server's or the URI's default: what one process took (a number, a key, a
 * lease) another primary must not give again.
 */
export async function ownDatabase(client: MongoClient): Promise<Db> {
  const db = client.db()
  if ((await topologyOf(db)) === 'standalone') return db
  return client.db(undefined, { writeConcern: { w: 'majority', wtimeoutMS } })
}
