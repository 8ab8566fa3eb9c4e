import type { MongoClient } from 'mongodb'
import { ReadPreference } from 'mongodb'

const preferences = new WeakMap<MongoClient, ReadPreference>()

/**
 * Returns the read preference that a client's URI sets, or undefined if it is `primary`. The preference only applies to
 * reads of content, which may be slightly outdated. Everything that decisions depend on is read from the primary:
 * permissions, settings, leases, and versions that a write compares (docs/internals/decisions.md, "Reads from secondaries").
 */
export function readPreferenceOf(client: MongoClient): ReadPreference | undefined {
  return preferences.get(client)
}

/** Stores the read preference of a client's URI for `readPreferenceOf`. */
export function preferReads(client: MongoClient, preference: ReadPreference): void {
  if (preference.mode !== ReadPreference.PRIMARY) preferences.set(client, preference)
}
