import {
  type MongoClientOptions,
  MongoClient,
  ReadPreference,
  type TopologyDescriptionChangedEvent,
} from 'mongodb'
import { createWriteTracker, setWriteTracker } from './collection-versions.js'
import { driverConnection } from './driver-connection.js'
import { preferReads } from './read-preference.js'
import { type Observed, letObserve } from './sent-commands.js'
import { watchServers } from './watch-servers.js'

export type ClientOptions = Readonly<{
  /** Name of this client in the server's log and in `currentOp`. */
  appName: string
  /** Maximum number of open connections. Default: 20, or 8 if the database is the embedded engine. */
  maxPoolSize?: number | undefined
}>

/**
 * Creates a client for the service or one of its worker threads. The client connects when it sends its first command.
 * Options in the URI take precedence over the defaults. The URI's read preference only applies to reads of content
 * (`readPreferenceOf`). Throws the driver's error if the URI is invalid.
 */
export function createClient(uri: string, { appName, maxPoolSize }: ClientOptions): MongoClient {
  const losses = { count: 0 }
  const observed: Observed = {}
  const notes = createWriteTracker()
  const onLost = (): void => {
    losses.count += 1
    // The server process may have ended, and then lost the writes that were not in its journal yet. So treat all
    // collections as changed.
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
  setWriteTracker(client, notes)
  watchElections(client, () => notes.distrustFor(previousPrimaryMs))
  watchServers(client)
  preferReads(client, preferred)
  return client
}

/**
 * Maximum time in milliseconds during which a previous primary may still answer reads. A primary that cannot reach a
 * majority steps down after `electionTimeoutMillis`, 10 s by default.
 */
const previousPrimaryMs = 30_000

const lossesOf = new WeakMap<MongoClient, { count: number }>()

/**
 * Returns how many of a client's connections the server has closed so far. While the number stays the same, the client
 * talks to the same server process.
 */
export function connectionsLost(client: MongoClient): number {
  return lossesOf.get(client)?.count ?? 0
}

/** Options that apply unless the URI sets them. */
const defaults = {
  maxPoolSize: 20,
  connectTimeoutMS: 5_000,
  // If a server freezes or is disconnected, commands wait for it. The driver fails them after `connectTimeoutMS` plus
  // `heartbeatFrequencyMS`. The sum must be less than 10 s, the time until a new primary is elected.
  heartbeatFrequencyMS: 2_000,
  // Long enough to outlast an election, which takes 10.5 to 13 s with the default `electionTimeoutMillis`.
  serverSelectionTimeoutMS: 15_000,
  waitQueueTimeoutMS: 10_000,
} satisfies MongoClientOptions

const localDefaults = {
  ...defaults,
  // Rare heartbeats are enough: there is no other server to find, and the process that started this server supervises
  // it.
  heartbeatFrequencyMS: 10_000,
  // The embedded engine runs 7 client commands at a time. Further commands would wait in the engine's host process.
  maxPoolSize: 8,
  // While the engine restarts, commands cannot connect. The driver retries them, even writes, because they were never
  // sent. It waits up to 0.2, 0.4, … 6.4 s between retries. If a command was sent but got no response, the driver only
  // retries it if it is a read.
  maxAdaptiveRetries: 6,
  // The engine restarts within a quarter of a second, but by default the driver waits half a second between two polls.
  minHeartbeatFrequencyMS: 50,
} satisfies MongoClientOptions

/**
 * Returns the options that the URI does not set. In the driver, options in code take precedence over those in the URI,
 * but here the URI must be able to override our defaults.
 */
function withoutThoseOf(uri: string, options: MongoClientOptions): MongoClientOptions {
  const given = [...uri.matchAll(/[?&]([a-z]+)=/gi)].map(([, name = '']) => name.toLowerCase())
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !given.includes(name.toLowerCase())),
  )
}

/**
 * Whether the URI names a Unix socket: `mongodb://%2Ftmp%2F…%2Fdb.sock/`. Then the server is most likely the embedded
 * engine.
 */
function isLocalSocket(uri: string): boolean {
  return /^mongodb:\/\/[^/,?]*\.sock\b/i.test(uri)
}

/**
 * Calls `elected` when a client learns of a new primary of its replica set, or of a new term of the same primary. A
 * previous primary that is disconnected may not know of the election. It may still answer reads of clients that do not
 * know the new primary yet, such as another client of this process.
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
