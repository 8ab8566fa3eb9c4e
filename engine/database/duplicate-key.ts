import { MongoServerError } from 'mongodb'

/** Of the server's error codes. */
const duplicateKey = 11000

/** Whether a unique index, that of `_id` included, refused what was to be written or indexed. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === duplicateKey
}
