import { LRUCache } from 'lru-cache'
import type { MongoClient } from 'mongodb'
import { readPreferenceOf } from '../../engine/database/read-preference.js'
import type { ReadClient } from '../../engine/read.js'

/** Remembers clients that wrote recently. Their reads must show the write, even if the URI prefers secondaries. */
export type OwnWrites = Readonly<{
  /** Call it when a write has ended. */
  wrote: (client: ReadClient | undefined) => void
  /** Returns whether a read must use the primary. Reads of the service itself (`undefined`) always must. */
  isRecent: (client: ReadClient | undefined) => boolean
}>

const maxWriters = 10_000

/**
 * Creates the memory of recent writers. Returns undefined if all reads use the primary anyway
 * (docs/internals/decisions.md, "Reads from secondaries").
 *
 * @param forMs how long a client's reads use the primary after a write, in milliseconds
 */
export function createOwnWrites(client: MongoClient, forMs: number): OwnWrites | undefined {
  if (readPreferenceOf(client) === undefined) return undefined
  if (forMs === 0) return { wrote: () => undefined, isRecent: (client) => client === undefined }
  const writers = new LRUCache<string, true>({ max: maxWriters, ttl: forMs })
  return {
    wrote: (client) => {
      if (client !== undefined) writers.set(client.address, true)
    },
    isRecent: (client) => client === undefined || writers.has(client.address),
  }
}
