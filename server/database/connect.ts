import { MongoClient } from 'mongodb'

/** The database of a URI that names none. */
export const defaultDatabase = 'quire'

export type ConnectOptions = Readonly<{
  /** What the server's log and `currentOp` call this client. */
  appName: string
  /** More connections are not opened; by default 20, and 8 to an embedded engine. */
  maxPoolSize?: number | undefined
}>

/** A restart of the embedded engine takes less; a server that is down is reported after it. */
const serverSelectionTimeoutMS = 10_000

/**
 * A client that is connected; `client.db()` is the database that the URI names, else `quire`.
 * Works alike in the service and in its worker threads. Throws one line that says what to do.
 */
export async function connectDatabase(uri: string, options: ConnectOptions): Promise<MongoClient> {
  const isLocalSocket = /^mongodb:\/\/[^/,?]*%2f/i.test(uri)
  let client: MongoClient | undefined
  try {
    client = new MongoClient(withDatabase(uri), {
      appName: options.appName,
      // The embedded engine runs 7 commands of clients at a time, more would wait in the host.
      maxPoolSize: options.maxPoolSize ?? (isLocalSocket ? 8 : 20),
      waitQueueTimeoutMS: serverSelectionTimeoutMS,
      connectTimeoutMS: 5_000,
      serverSelectionTimeoutMS,
      ignoreUndefined: true,
      // Retrying writes needs sessions, which the embedded engine has not. Reads are retried.
      ...(isLocalSocket ? { retryWrites: false } : {}),
    })
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
function withDatabase(uri: string): string {
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
