import type { MongoClient } from 'mongodb'
import { ReadPreference } from 'mongodb'

const preferences = new WeakMap<MongoClient, ReadPreference>()

/**
 * Returns the read preference of a client's URI for content; undefined for the primary. Reads that the service bases
 * decisions on go to the primary: permissions, settings, leases, versions that a write compares. Content may be
 * slightly older (docs/decisions.md, "Reads from secondaries").
 */
export function readPreferenceOf(client: MongoClient): ReadPreference | undefined {
  return preferences.get(client)
}

/** Remembers the read preference of a client's URI. */
export function preferReads(client: MongoClient, preference: ReadPreference): void {
  if (preference.mode !== ReadPreference.PRIMARY) preferences.set(client, preference)
}
