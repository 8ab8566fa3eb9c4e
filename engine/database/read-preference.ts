import type { MongoClient } from 'mongodb'
import { ReadPreference } from 'mongodb'

const preferences = new WeakMap<MongoClient, ReadPreference>()

/**
 * Returns the read preference that a client's URI sets; undefined if it is the primary. It applies only to reads of
 * content, which may be slightly outdated. The service reads everything that it bases decisions on from the primary:
 * permissions, settings, leases, and versions that a write compares (docs/decisions.md, "Reads from secondaries").
 */
export function readPreferenceOf(client: MongoClient): ReadPreference | undefined {
  return preferences.get(client)
}

/** Remembers the read preference of a client's URI. */
export function preferReads(client: MongoClient, preference: ReadPreference): void {
  if (preference.mode !== ReadPreference.PRIMARY) preferences.set(client, preference)
}
