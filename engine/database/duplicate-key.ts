import { MongoServerError } from 'mongodb'

/** Of the server's error codes. */
const duplicateKey = 11000

/** Whether a unique index, that of `_id` included, refused what was to be written or indexed. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === duplicateKey
}

/** The fields of the unique index that refused a write, e.g. `['slug', 'locale']`; undefined for any other error. */
export function refusedIndex(error: unknown): readonly string[] | undefined {
  if (!isDuplicateKey(error)) return undefined
  const pattern: unknown = error['keyPattern'] ?? error.errorResponse['keyPattern']
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : []
}
