import { MongoServerError } from 'mongodb'

const duplicateKey = 11000

/** Whether a unique index or the index of `_id` refused a write, or could not be built because of duplicate values. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === duplicateKey
}

/** Returns the fields of the unique index that refused a write, such as `['slug', 'locale']`. */
export function refusedIndex(error: unknown): readonly string[] | undefined {
  if (!isDuplicateKey(error)) return undefined
  const pattern: unknown = error['keyPattern'] ?? error.errorResponse['keyPattern']
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : []
}
