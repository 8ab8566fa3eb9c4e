import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'
import { monotonicNow, type Clock } from '../monotonic-now.js'

/** Types of servers that accept both reads and writes. */
const serving: ReadonlySet<string> = new Set(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer'])

type Watched = {
  /** When the client lost its last server that accepts both reads and writes. Undefined while it knows one. */
  unservedSince?: number | undefined
  /** Total duration of the previous pauses of `servedClock`, in milliseconds. */
  stoodStillMs: number
  /** Maximum duration of a single pause of `servedClock`, in milliseconds. */
  readonly longestMs: number
}

const watched = new WeakMap<MongoClient, Watched>()

/** Watches which servers a client knows, for `isServed` and `servedClock`. */
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

/** Whether a client knows a server that accepts reads and writes. Also true before the client's first command. */
export function isServed(client: MongoClient): boolean {
  return watched.get(client)?.unservedSince === undefined
}

/**
 * Returns a clock for the time limits of reads. It pauses while the client knows no server that accepts reads and
 * writes, for at most `serverSelectionTimeoutMS`.
 */
export function servedClock(client: MongoClient): Clock {
  // Look this up only once, because each request reads the clock several times.
  const state = watched.get(client)
  if (state === undefined) return monotonicNow
  return () => {
    const now = monotonicNow()
    return now - state.stoodStillMs - standstillAt(now, state)
  }
}

/** Returns how long the current pause has lasted at the time `now`. */
function standstillAt(now: number, { unservedSince, longestMs }: Watched): number {
  return unservedSince === undefined ? 0 : Math.min(longestMs, now - unservedSince)
}
