import type { MongoClient } from 'mongodb'
import type { ClientOptions } from '../../engine/database/client.js'
import { createClient } from '../../engine/database/client.js'

/** The database of a URI that names none. */
const defaultDatabase = 'quire'

/**
 * A client that is connected; `client.db()` is the database that the URI names, else `quire`.
 * Throws one line that says what to do.
 */
export async function connectDatabase(uri: string, options: ClientOptions): Promise<MongoClient> {
  let client: MongoClient | undefined
  try {
    client = createClient(withDatabase(uri), options)
    await client.connect()
    await client.db().command({ ping: 1 })
    return client
  } catch (error) {
    await client?.close().catch(() => undefined)
    throw unreachable(uri, error)
  }
}

/**
 * The URI with a database. The driver looks for the user in the database of the URI, so the name
 * that we add must not move where a URI without one is authenticated: `admin`.
 */
export function withDatabase(uri: string): string {
  const [, address = uri, credentials, name, query = ''] =
    /^([a-z+]+:\/\/([^/@]*@)?[^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/i.exec(uri) ?? []
  if (name) return uri
  const keepsAuthSource = !credentials || /(^|&)(authSource|authMechanism)=/i.test(query)
  const parameters = [query, keepsAuthSource ? '' : 'authSource=admin'].filter(Boolean).join('&')
  return `${address}/${defaultDatabase}${parameters ? `?${parameters}` : ''}`
}

function unreachable(uri: string, error: unknown): Error {
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  const place = uri.replace(/\/\/[^/@]*@/, '//***@').replace(/\?.*$/, '')
  return new Error(`Cannot use the database at ${place}: ${reason}. Check MONGODB_URI.`, {
    cause: error,
  })
}
