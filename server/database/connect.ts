import type { MongoClient } from 'mongodb'
import type { ClientOptions } from '../../engine/database/client.js'
import { createClient } from '../../engine/database/client.js'
import { explainDenied } from './check-server.js'
import { explainUnreachable, shownUri } from './explain-unreachable.js'

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
    const denied = explainDenied(error)
    throw denied === error ? unreachable(uri, error) : denied
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
  const place = shownUri(uri)
  return new Error(
    `Cannot use the database at ${place}: ${explainUnreachable(error, uri)}. Check MONGODB_URI.`,
    { cause: error },
  )
}
