import type { Db, MongoClient } from 'mongodb'
import { topologyOf } from './durability.js'

/** Time to wait for the majority to acknowledge a write, in milliseconds. */
const wtimeoutMS = 10_000

/**
 * Returns the database that a client's URI names. On replica sets and sharded clusters every write waits for the
 * majority by default, whatever the server's or the URI's default. Otherwise a new primary could assign a number, key
 * or lease again that a process has already taken.
 */
export async function ownDatabase(client: MongoClient): Promise<Db> {
  const db = client.db()
  if ((await topologyOf(db)) === 'standalone') return db
  return client.db(undefined, { writeConcern: { w: 'majority', wtimeoutMS } })
}
