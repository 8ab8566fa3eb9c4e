import { MongoServerError } from 'mongodb'

/** The server's error code for duplicate keys. */
const duplicateKey = 11000

/**
 * Whether an error is a duplicate key error: a unique index, or the index of `_id`, refused a write or could not be
 * built.
 */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === duplicateKey
}

/**
 * Returns the fields of the unique index that refused a write, such as `['slug', 'locale']`. Returns undefined for any
 * other error.
 */
export function refusedIndex(error: unknown): readonly string[] | undefined {
  if (!isDuplicateKey(error)) return undefined
  const pattern: unknown = error['keyPattern'] ?? error.errorResponse['keyPattern']
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : []
}
