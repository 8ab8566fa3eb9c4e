import { isDuplicateKey } from './duplicate-key.js'

/**
 * Runs an upsert that other writers may run at the same moment. If two writers find no document, both insert, and one
 * gets a duplicate key error. Its retry finds the document of the other.
 */
export async function asFirstWriter<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert()
  } catch (error) {
    if (isDuplicateKey(error)) return upsert()
    throw error
  }
}
