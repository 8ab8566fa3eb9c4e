import type { Document, MongoClient } from 'mongodb'
import type { ClientOptions } from '../../engine/database/client.js'
import { createClient } from '../../engine/database/client.js'
import { explainDenied } from './check-server.js'
import { explainUnreachable, shownUri } from './explain-unreachable.js'

/** Name of the database if the URI contains none. */
const defaultDatabase = 'quire'

/** Connects a client to the URI's database, by default `quire`. Throws an error with one line that says what to do. */
export async function connectDatabase(uri: string, options: ClientOptions): Promise<MongoClient> {
  let client: MongoClient | undefined
  try {
    checkCredentials(uri)
    client = createClient(withDatabase(uri), options)
    await client.connect()
    const hello = await client.db().command({ hello: 1 })
    if (client.options.directConnection) checkPrimary(hello)
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

/**
 * Rejects credentials that are not percent-encoded. If a password contained `@`, errors would show the part after it as
 * a host.
 */
function checkCredentials(uri: string): void {
  const credentials = /\/\/(.*)@/s.exec(uri)?.[1] ?? ''
  if (/^(?:[^%:@/?#]|%[\da-f]{2})*(?::(?:[^%:@/?#]|%[\da-f]{2})*)?$/i.test(credentials)) return
  throw new Error(
    'the user and the password must be percent-encoded: @ is %40, : is %3A, / is %2F, ? is %3F, # is %23, % is %25',
  )
}

/** Rejects a secondary with `directConnection=true`: the driver would never find the primary. */
function checkPrimary({ setName, isWritablePrimary, hosts, me }: Document): void {
  const isAlone = !Array.isArray(hosts) || hosts.length < 2
  if (isWritablePrimary === true || isAlone) return
  throw new Error(
    `${me} is not the primary of the replica set ${setName}. List all members, add replicaSet=${setName}, and remove directConnection=true`,
  )
}

/**
 * Adds the default database to a URI without one. The driver would also authenticate against it, so a URI with
 * credentials gets `authSource=admin`, the driver's default.
 */
export function withDatabase(uri: string): string {
  const [, address = uri, credentials, name, query = ''] =
    /^([a-z+]+:\/\/([^/@]*@)?[^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/i.exec(uri) ?? []
  if (name) return uri
  const keepsAuthSource = !credentials || /(^|&)(authSource|authMechanism)=/i.test(query)
  const parameters = [query, keepsAuthSource ? '' : 'authSource=admin'].filter(Boolean).join('&')
  return `${address}/${defaultDatabase}${parameters ? `?${parameters}` : ''}`
}
