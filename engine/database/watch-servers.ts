import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'
import { monotonicNow, type Clock } from '../monotonic-now.js'

/** Servers for both reads and writes. */
const serving: ReadonlySet<string> = new Set(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer'])

type Watched = {
  /** When the client lost the last server for reads and writes; undefined while it knows one. */
  unservedSince?: number | undefined
  /** Total time that the clock has stood still so far. */
  stoodStillMs: number
  /** Longest time that the clock stands still at once. */
  readonly longestMs: number
}

const watched = new WeakMap<MongoClient, Watched>()

/** Records changes of a client's servers for `isServed` and `servedClock`. */
export function watchServers(client: MongoClient): void {
  const longestMs = client.options.serverSelectionTimeoutMS
  const state: Watched = { stoodStillMs: 0, longestMs }
  watched.set(client, state)
  client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
    const servers = [...newDescription.servers.values()]
    if (!servers.some(({ type }) => serving.has(type))) state.unservedSince ??= monotonicNow()
    else {
      state.stoodStillMs += standstillAt(monotonicNow(), state)
      state.unservedSince = undefined
    }
  })
}

/**
 * Whether a client knows a server for reads and writes; in a replica set, its primary. Otherwise commands wait for one.
 * Also true before its first command.
 */
export function isServed(client: MongoClient): boolean {
  return watched.get(client)?.unservedSince === undefined
}

/**
 * Returns a clock for the time of reads. It stands still while the client knows no server for reads and writes, for at
 * most `serverSelectionTimeoutMS`. So waiting for a new primary costs a read none of its time.
 */
export function servedClock(client: MongoClient): Clock {
  // Looked up once, because each request reads the clock several times.
  const state = watched.get(client)
  if (state === undefined) return monotonicNow
  return () => {
    const now = monotonicNow()
    return now - state.stoodStillMs - standstillAt(now, state)
  }
}

/** Returns for how long the clock has stood still at a time since the last server was lost. */
function standstillAt(now: number, { unservedSince, longestMs }: Watched): number {
  return unservedSince === undefined ? 0 : Math.min(longestMs, now - unservedSince)
}
