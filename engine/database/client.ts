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
  appName: string
  /** Maximum number of connections. Default: 20, or 8 if the database is the embedded engine. */
  maxPoolSize?: number | undefined
}>

/**
 * Creates a client, which connects with its first command. Options in the URI override the defaults. A read preference
 * in the URI only applies to reads of content (`readPreferenceOf`). Throws the driver's error if the URI is invalid.
 */
export function createClient(uri: string, { appName, maxPoolSize }: ClientOptions): MongoClient {
  const losses = { count: 0 }
  const observed: Observed = {}
  const notes = createWriteTracker()
  const onLost = (): void => {
    losses.count += 1
    // If the server crashed, it lost the writes that were not in its journal yet. So the content of any collection may
    // be older now.
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

/** Milliseconds for which a previous primary may still answer reads: more than `electionTimeoutMillis` (10 s). */
const previousPrimaryMs = 30_000

const lossesOf = new WeakMap<MongoClient, { count: number }>()

/**
 * Returns how many connections the server has closed. As long as this number stays the same, the server process has not
 * ended.
 */
export function connectionsLost(client: MongoClient): number {
  return lossesOf.get(client)?.count ?? 0
}

const defaults = {
  maxPoolSize: 20,
  connectTimeoutMS: 5_000,
  // Commands to a frozen server fail after `connectTimeoutMS` + `heartbeatFrequencyMS`. The sum must be less than 10 s,
  // the time until a new primary is elected.
  heartbeatFrequencyMS: 2_000,
  // Outlasts an election, which takes 10.5 to 13 s with the default `electionTimeoutMillis`.
  serverSelectionTimeoutMS: 15_000,
  waitQueueTimeoutMS: 10_000,
} satisfies MongoClientOptions

const localDefaults = {
  ...defaults,
  // Rare heartbeats are enough: the process that starts the embedded engine also supervises it.
  heartbeatFrequencyMS: 10_000,
  // The embedded engine runs 7 client commands at a time.
  maxPoolSize: 8,
  // While the engine restarts, the driver retries commands that were never sent, even writes. It waits up to 0.2, 0.4,
  // … 6.4 s between retries.
  maxAdaptiveRetries: 6,
  // The engine restarts within 250 ms. The driver's default is 500 ms.
  minHeartbeatFrequencyMS: 50,
} satisfies MongoClientOptions

/**
 * Returns the options that the URI does not set, because the driver would let options in code override those in the
 * URI.
 */
function withoutThoseOf(uri: string, options: MongoClientOptions): MongoClientOptions {
  const given = [...uri.matchAll(/[?&]([a-z]+)=/gi)].map(([, name = '']) => name.toLowerCase())
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !given.includes(name.toLowerCase())),
  )
}

/** Whether the URI names a Unix socket (`mongodb://%2Ftmp%2F…%2Fdb.sock/`), most likely that of the embedded engine. */
function isLocalSocket(uri: string): boolean {
  return /^mongodb:\/\/[^/,?]*\.sock\b/i.test(uri)
}

/**
 * Calls `elected` when a client learns of a new primary, or of a new term of the same primary. A disconnected previous
 * primary may still answer reads of clients that do not know the new primary yet.
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
