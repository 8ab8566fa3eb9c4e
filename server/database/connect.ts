import type { MongoClientOptions } from 'mongodb'
import { MongoClient } from 'mongodb'

/** The database of a URI that names none. */
export const defaultDatabase = 'quire'

export type ConnectOptions = Readonly<{
  /** What the server's log and `currentOp` call this client. */
  appName: string
  /** More connections are not opened; by default 20, and 8 to an embedded engine. */
  maxPoolSize?: number | undefined
}>

/**
 * A client that is connected; `client.db()` is the database that the URI names, else `quire`.
 * Works alike in the service and in its worker threads. Throws one line that says what to do.
 */
export async function connectDatabase(uri: string, options: ConnectOptions): Promise<MongoClient> {
  let client: MongoClient | undefined
  try {
    client = new MongoClient(withDatabase(uri), {
      ...withoutThoseOf(uri, isLocalSocket(uri) ? localDefaults : defaults),
      ...(options.maxPoolSize === undefined ? {} : { maxPoolSize: options.maxPoolSize }),
      appName: options.appName,
      ignoreUndefined: true,
    })
    await client.connect()
    await client.db().command({ ping: 1 })
    return client
  } catch (error) {
    await client?.close().catch(() => undefined)
    throw unreachable(uri, error)
  }
}

/** What holds where the URI says nothing else. */
const defaults = {
  maxPoolSize: 20,
  connectTimeoutMS: 5_000,
  // Long enough to ride out a restart of the embedded engine, or an election.
  serverSelectionTimeoutMS: 10_000,
  waitQueueTimeoutMS: 10_000,
} satisfies MongoClientOptions

const localDefaults = {
  ...defaults,
  // The embedded engine runs 7 commands of clients at a time, more would wait in the host.
  maxPoolSize: 8,
  // Retrying writes needs sessions, which the embedded engine has not. Reads are retried.
  retryWrites: false,
  // A restart takes a quarter of a second; by default a driver looks again after half a second.
  minHeartbeatFrequencyMS: 50,
} satisfies MongoClientOptions

/** Options in code go before those of the URI; ours are not to. */
function withoutThoseOf(uri: string, options: MongoClientOptions): MongoClientOptions {
  const given = [...uri.matchAll(/[?&]([a-z]+)=/gi)].map(([, name = '']) => name.toLowerCase())
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !given.includes(name.toLowerCase())),
  )
}

/** `mongodb://%2Ftmp%2F…%2Fdb.sock/`: a Unix socket, and so most likely the embedded engine. */
function isLocalSocket(uri: string): boolean {
  return /^mongodb:\/\/[^/,?]*\.sock\b/i.test(uri)
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
