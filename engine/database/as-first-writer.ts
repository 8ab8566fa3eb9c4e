import { isDuplicateKey } from './duplicate-key.js'

/** Runs an upsert, and retries it if a concurrent upsert inserted the document first (duplicate key error). */
export async function asFirstWriter<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert()
  } catch (error) {
    if (isDuplicateKey(error)) return upsert()
    throw error
  }
}
