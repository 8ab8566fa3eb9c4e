import { BSON } from 'mongodb'
import { isDuplicateKey } from '../database/duplicate-key.js'

/** The fields of the unique index that refused a write, e.g. `['slug', 'locale']`; undefined for any other error. */
export function refusedIndex(error: unknown): readonly string[] | undefined {
  if (!isDuplicateKey(error)) return undefined
  const pattern: unknown = error['keyPattern'] ?? error.errorResponse['keyPattern']
  // A command that is answered as bytes has its errors in bytes too.
  if (pattern instanceof Uint8Array) return Object.keys(BSON.deserialize(pattern))
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : []
}
