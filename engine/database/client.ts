import {
  type MongoClientOptions,
  MongoClient,
  ReadPreference,
  type TopologyDescriptionChangedEvent,
} from 'mongodb'
import { createWriteTracker, keepNotes } from './collection-versions.js'
import { driverConnection } from './driver-connection.js'
import { preferReads } from './read-preference.js'
import { type Observed, letObserve } from './sent-commands.js'
import { watchServers } from './watch-servers.js'

export type ClientOptions = Readonly<{
  /** Name of this client in the server's log and in `currentOp`. */
  appName: string
  /** Maximum number of open connections; default 20, and 8 to an embedded engine. */
  maxPoolSize?: number | undefined
}>

/**
 * Creates a client for the service or one of its worker threads. It connects with its first command. Options of the URI
 * take precedence, except that its read preference only applies to reads of content (`readPreferenceOf`). Throws the
 * driver's error if the URI is invalid.
 */
export function createClient(uri: string, { appName, maxPoolSize }: ClientOptions): MongoClient {
  const losses = { count: 0 }
  const observed: Observed = {}
  const notes = createWriteTracker()
  const onLost = (): void => {
    losses.count += 1
    // Writes that were not in the journal yet are lost with the server.
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
  watchElections(client, () => notes.doubt(previousPrimaryMs))
  watchServers(client)
  preferReads(client, preferred)
  return client
}

/**
 * Maximum time in milliseconds during which a previous primary may still answer. A primary without a majority steps
 * down after `electionTimeoutMillis`, 10 s by default.
 */
const previousPrimaryMs = 30_000

const lossesOf = new WeakMap<MongoClient, { count: number }>()

/**
 * Returns how many connections of a client the server has ended so far. While the number stays the same, the same
 * server process responds.
 */
export function connectionsLost(client: MongoClient): number {
  return lossesOf.get(client)?.count ?? 0
}

/** Options that apply unless the URI sets them. */
const defaults = {
  maxPoolSize: 20,
  connectTimeoutMS: 5_000,
  // The driver gives up a frozen or disconnected server after the sum of both timeouts, along with the commands that
  // wait for it. That has to happen before the other servers elect a new primary, which takes them 10 s.
  heartbeatFrequencyMS: 2_000,
  // Long enough to outlast an election, which takes 10.5 to 13 s with the default `electionTimeoutMillis`.
  serverSelectionTimeoutMS: 15_000,
  waitQueueTimeoutMS: 10_000,
} satisfies MongoClientOptions

const localDefaults = {
  ...defaults,
  // There is no other server, and the process that started this one supervises it.
  heartbeatFrequencyMS: 10_000,
  // The embedded engine runs 7 client commands at a time; further commands would wait in the engine's host process.
  maxPoolSize: 8,
  // A command that could not connect was not sent. So the driver retries it, even a write, until a restart is over,
  // with pauses of up to 0.2, 0.4, … 6.4 s. It retries a command that was sent but got no response only if it is a
  // read.
  maxAdaptiveRetries: 6,
  // A restart takes a quarter of a second; by default a driver polls again after half a second.
  minHeartbeatFrequencyMS: 50,
} satisfies MongoClientOptions

/** Options in code take precedence over those of the URI. Our defaults must not. */
function withoutThoseOf(uri: string, options: MongoClientOptions): MongoClientOptions {
  const given = [...uri.matchAll(/[?&]([a-z]+)=/gi)].map(([, name = '']) => name.toLowerCase())
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !given.includes(name.toLowerCase())),
  )
}

/** `mongodb://%2Ftmp%2F…%2Fdb.sock/`: a Unix socket, so most likely the embedded engine. */
function isLocalSocket(uri: string): boolean {
  return /^mongodb:\/\/[^/,?]*\.sock\b/i.test(uri)
}

/**
 * Calls `elected` when a client learns of another primary of its replica set, or of another term of the same one. A
 * previous primary that is disconnected from the others may not know of the election. It may still answer reads of
 * clients that do not know the new primary yet, such as another client of this process.
 */
function watchElections(client: MongoClient, elected: () => void): void {
  let known: string | undefined
  client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
    const servers = [...newDescription.servers.values()]
    const primary = servers.find(({ type }) => type === 'RSPrimary')
    if (primary === undefined) return
    const term = `${primary.address} ${primary.electionId?.toHexString()}`
    if (known !== undefined && known !== term) elected()
    known = term
  })
}
