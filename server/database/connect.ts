import type { Document, MongoClient } from 'mongodb'
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
    checkCredentials(uri)
    client = createClient(withDatabase(uri), options)
    await client.connect()
    checkPrimary(await client.db().command({ hello: 1 }))
    return client
  } catch (error) {
    await client?.close().catch(() => undefined)
    const denied = explainDenied(error)
    if (denied !== error) throw denied
    const place = shownUri(uri)
    throw new Error(
      `Cannot use the database at ${place}: ${explainUnreachable(error, uri)}. Check MONGODB_URI.`,
      { cause: error },
    )
  }
}

/** A password with an `@` would make a host of its end, which messages show. */
function checkCredentials(uri: string): void {
  const credentials = /\/\/(.*)@/s.exec(uri)?.[1] ?? ''
  if (/^(?:[^%:@/?#]|%[\da-f]{2})*(?::(?:[^%:@/?#]|%[\da-f]{2})*)?$/i.test(credentials)) return
  throw new Error(
    'the user and the password must be percent-encoded: @ is %40, : is %3A, / is %2F, ? is %3F, # is %23, % is %25',
  )
}

/** A URI that names one member of a replica set alone reaches no other when that is no primary. */
function checkPrimary({ setName, isWritablePrimary, me }: Document): void {
  if (typeof setName !== 'string' || isWritablePrimary === true) return
  throw new Error(
    `${me} is not the primary of the replica set ${setName}. Name all of its members, and replicaSet=${setName}`,
  )
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
