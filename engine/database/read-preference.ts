import type { MongoClient } from 'mongodb'
import { ReadPreference } from 'mongodb'

const preferences = new WeakMap<MongoClient, ReadPreference>()

/**
 * Returns the read preference of a client's URI, or undefined if it is `primary`. It only applies to reads of content.
 * Reads on which decisions depend go to the primary (docs/internals/decisions.md, "Reads from secondaries").
 */
export function readPreferenceOf(client: MongoClient): ReadPreference | undefined {
  return preferences.get(client)
}

/** Stores the read preference of a client's URI. */
export function preferReads(client: MongoClient, preference: ReadPreference): void {
  if (preference.mode !== ReadPreference.PRIMARY) preferences.set(client, preference)
}
