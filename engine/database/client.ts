import type { MongoClientOptions } from 'mongodb'
import { MongoClient, ReadPreference } from 'mongodb'
import { createWriteNotes, keepNotes } from './collection-versions.js'
import { driverConnection } from './driver-connection.js'
import { preferReads } from './read-preference.js'
import type { Observed } from './sent-commands.js'
import { letObserve } from './sent-commands.js'
import { watchElections } from './watch-elections.js'
import { watchServers } from './watch-servers.js'

export type ClientOptions = Readonly<{
  /** What the server's log and `currentOp` call this client. */
  appName: string
  /** More connections are not opened; by default 20, and 8 to an embedded engine. */
  maxPoolSize?: number | undefined
}>

/**
 * A client, the same in the service and in its worker threads; it connects with its first command. What
 * the URI says holds, but that only reads of content go where it prefers (`readPreferenceOf`). Throws what the driver throws of a URI that it cannot read.
 */
export function createClient(uri: string, { appName, maxPoolSize }: ClientOptions): MongoClient {
  const losses = { count: 0 }
  const observed: Observed = {}
  const notes = createWriteNotes()
  const onLost = (): void => {
    losses.count += 1
    // What was not in the journal yet is gone with the server.
    notes.raise()
  }
  const connectionType = driverConnection(onLost, { observed, notes })
  const preferred = new MongoClient(uri).readPreference
  const client = new MongoClient(uri, {
    ...withoutThoseOf(uri, isLocalSocket(uri) ? localDefaults : defaults),
    ...(maxPoolSize === undefined ? {} : { maxPoolSize }),
    appName,
    ignoreUndefined: true,
    readPreference: ReadPreference.primary,
    ...({ connectionType } as MongoClientOptions),
  })
  lossesOf.set(client, losses)
  letObserve(client, observed)
  keepNotes(client, notes)
  watchElections(client, () => notes.doubt(formerPrimaryMs))
  watchServers(client)
  preferReads(client, preferred)
  return client
}

/** A primary that hears of no majority steps down after `electionTimeoutMillis`, which is 10 s where nobody set it. */
const formerPrimaryMs = 30_000

const lossesOf = new WeakMap<MongoClient, { count: number }>()

/**
 * How many connections of a client the server has ended since it began. As long as it is the same number, what
 * answers is the same process.
 */
export function connectionsLost(client: MongoClient): number {
  return lossesOf.get(client)?.count ?? 0
}

/** What holds where the URI says nothing else. */
const defaults = {
  maxPoolSize: 20,
  connectTimeoutMS: 5_000,
  // A server that is frozen or cut off is given up after both together, and with it what waits for its answers: that is
  // to be over before the others have elected a new primary, for which they take 10 s.
  heartbeatFrequencyMS: 2_000,
  // Long enough to ride out an election, which takes 10.5 to 13 s where nobody set `electionTimeoutMillis`.
  serverSelectionTimeoutMS: 15_000,
  waitQueueTimeoutMS: 10_000,
} satisfies MongoClientOptions

const localDefaults = {
  ...defaults,
  // There is nobody else to turn to, and whoever started it watches it.
  heartbeatFrequencyMS: 10_000,
  // The embedded engine runs 7 commands of clients at a time, more would wait in the host.
  maxPoolSize: 8,
  // What finds nobody listening was not sent and is tried again, writes too, until a restart is over: in pauses
  // of up to 0.2, 0.4, … 6.4 s. What was sent and not answered is only tried again if it is a read.
  maxAdaptiveRetries: 6,
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
