import type { MongoClient, TopologyDescriptionChangedEvent } from 'mongodb'
import { steadyNow, type Clock } from '../steady-now.js'

/** What takes both reads and writes. */
const serving: ReadonlySet<string> = new Set(['Standalone', 'RSPrimary', 'Mongos', 'LoadBalancer'])

type Watched = {
  /** Since when it knows no server that takes reads and writes; undefined while it knows one. */
  unservedSince?: number | undefined
  /** Total time its clock has stood still so far. */
  stoodStillMs: number
  /** Longest time it stands still at once. */
  readonly longestMs: number
}

const watched = new WeakMap<MongoClient, Watched>()

/** Keeps for `isServed` and `servedClock` what a client hears of its servers. */
export function watchServers(client: MongoClient): void {
  const longestMs = client.options.serverSelectionTimeoutMS
  const state: Watched = { stoodStillMs: 0, longestMs }
  watched.set(client, state)
  client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
    const servers = [...newDescription.servers.values()]
    if (!servers.some(({ type }) => serving.has(type))) state.unservedSince ??= steadyNow()
    else {
      state.stoodStillMs += standstillOf(state)
      state.unservedSince = undefined
    }
  })
}

/**
 * Whether a client knows a server that takes reads and writes, of a replica set its primary. What is asked of it
 * otherwise waits for one. Also true before its first command.
 */
export function isServed(client: MongoClient): boolean {
  return watched.get(client)?.unservedSince === undefined
}

/**
 * A clock for the time of reads. It stands still while the client knows no server that takes reads and writes, for
 * `serverSelectionTimeoutMS` at most, so that waiting for a new primary costs a read none of its time.
 */
export function servedClock(client: MongoClient): Clock {
  // Each request asks the clock several times.
  const state = watched.get(client)
  if (state === undefined) return steadyNow
  return () => steadyNow() - state.stoodStillMs - standstillOf(state)
}

/** For how long the clock has stood still since it knows no server. */
function standstillOf({ unservedSince, longestMs }: Watched): number {
  return unservedSince === undefined ? 0 : Math.min(longestMs, steadyNow() - unservedSince)
}
