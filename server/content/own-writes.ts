import { LRUCache } from 'lru-cache'
import type { MongoClient } from 'mongodb'
import { readPreferenceOf } from '../../engine/database/read-preference.js'
import type { ReadAsker } from '../../engine/read.js'

/** Who wrote lately: what they read next shows what they wrote, though the URI prefers secondaries. */
export type OwnWrites = Readonly<{
  /** To be called when a write is over. */
  wrote: (asker: ReadAsker | undefined) => void
  /** Whether a read is to be from the primary; those of the service itself (no asker) always are. */
  isRecent: (asker: ReadAsker | undefined) => boolean
}>

const maxWriters = 10_000

/**
 * Undefined where all reads are from the primary anyway (docs/decisions.md, "Reads from secondaries").
 * @param forMs how long after a write, in milliseconds
 */
export function createOwnWrites(client: MongoClient, forMs: number): OwnWrites | undefined {
  if (readPreferenceOf(client) === undefined) return undefined
  if (forMs === 0) return { wrote: () => undefined, isRecent: (asker) => asker === undefined }
  const writers = new LRUCache<string, true>({ max: maxWriters, ttl: forMs })
  return {
    wrote: (asker) => {
      if (asker !== undefined) writers.set(asker.address, true)
    },
    isRecent: (asker) => asker === undefined || writers.has(asker.address),
  }
}
