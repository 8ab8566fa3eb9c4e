import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'
import { monotonicNow, type Clock } from '../monotonic-now.js'

/** Servers for both reads and writes. */
const serving: ReadonlySet<string> = new Set(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer'])

type Watched = {
  /** When the client lost the last server for reads and writes; undefined while it knows one. */
  unservedSince?: number | undefined
  /** Total time that `servedClock` has stood still so far. */
  stoodStillMs: number
  /** Maximum time that the clock stands still without interruption. */
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
 * Whether a client knows a server for reads and writes; in a replica set, its primary. If it knows none, commands wait
 * for one. Also true before the client's first command.
 */
export function isServed(client: MongoClient): boolean {
  return watched.get(client)?.unservedSince === undefined
}

/**
 * Returns a clock that measures the time of reads. It stands still while the client knows no server for reads and
 * writes, for at most `serverSelectionTimeoutMS`. So waiting for a new primary costs a read none of its time.
 */
export function servedClock(client: MongoClient): Clock {
  // Look up the state once, because each request reads the clock several times.
  const state = watched.get(client)
  if (state === undefined) return monotonicNow
  return () => {
    const now = monotonicNow()
    return now - state.stoodStillMs - standstillAt(now, state)
  }
}

/** Returns how long the clock has stood still at the time `now` since the last server was lost. */
function standstillAt(now: number, { unservedSince, longestMs }: Watched): number {
  return unservedSince === undefined ? 0 : Math.min(longestMs, now - unservedSince)
}
