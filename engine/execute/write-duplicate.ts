import { MongoServerError } from 'mongodb'

const duplicateKey = 11000

/** The fields of the unique index that refused a write, e.g. `['slug', 'locale']`; undefined for any other error. */
export function refusedIndex(error: unknown): readonly string[] | undefined {
  if (!(error instanceof MongoServerError) || error.code !== duplicateKey) return undefined
  const pattern: unknown = error['keyPattern'] ?? error.errorResponse['keyPattern']
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : []
}
