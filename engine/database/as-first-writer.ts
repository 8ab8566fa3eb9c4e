import { isDuplicateKey } from './duplicate-key.js'

/**
 * Runs an upsert that others may run at the same moment. Of two that find nothing there both insert, and
 * one is told of a duplicate key; run again, it finds what the other made.
 */
export async function asFirstWriter<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert()
  } catch (error) {
    if (isDuplicateKey(error)) return upsert()
    throw error
  }
}
