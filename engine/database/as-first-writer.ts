import { isDuplicateKey } from './duplicate-key.js'

/**
 * Runs an upsert, and retries it if a concurrent upsert has inserted the document first. If two concurrent upserts find
 * no document, both try to insert it, and one fails with a duplicate key error. Its retry finds the document that the
 * other has inserted.
 */
export async function asFirstWriter<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert()
  } catch (error) {
    if (isDuplicateKey(error)) return upsert()
    throw error
  }
}
