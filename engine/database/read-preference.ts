import type { MongoClient } from 'mongodb'
import { ReadPreference } from 'mongodb'

const preferences = new WeakMap<MongoClient, ReadPreference>()

/**
 * From where the URI of a client wants reads to be, undefined for the primary. What the service decides by (rights,
 * settings, leases, what a write compares) is the primary's; content may be a little older (docs/decisions.md,
 * "Reads from secondaries").
 */
export function readPreferenceOf(client: MongoClient): ReadPreference | undefined {
  return preferences.get(client)
}

/** Remembers what a client's URI prefers. */
export function preferReads(client: MongoClient, preference: ReadPreference): void {
  if (preference.mode !== ReadPreference.PRIMARY) preferences.set(client, preference)
}
