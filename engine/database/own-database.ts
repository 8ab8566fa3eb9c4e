import type { Db, MongoClient } from 'mongodb'
import { topologyOf } from './durability.js'

/** Maximum time in milliseconds that a write waits for the majority. */
const wtimeoutMS = 10_000

/**
 * Returns the database that a client's URI names. On replica sets and sharded clusters, its default write concern is
 * the majority, even if the server or the URI sets another default. With a weaker write concern, a new primary could
 * assign a number, key or lease that a process has already taken.
 */
export async function ownDatabase(client: MongoClient): Promise<Db> {
  const db = client.db()
  if ((await topologyOf(db)) === 'standalone') return db
  return client.db(undefined, { writeConcern: { w: 'majority', wtimeoutMS } })
}
