import type { Db, MongoClient } from 'mongodb'
import { topologyOf } from './durability.js'

const wtimeoutMS = 10_000

/**
 * Returns the database that the URI names. On replica sets and sharded clusters, its write concern is the majority.
 * With a weaker one, a new primary could assign a number, key or lease a second time.
 */
export async function ownDatabase(client: MongoClient): Promise<Db> {
  const db = client.db()
  if ((await topologyOf(db)) === 'standalone') return db
  return client.db(undefined, { writeConcern: { w: 'majority', wtimeoutMS } })
}
