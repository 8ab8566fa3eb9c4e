import { isDuplicateKey } from './duplicate-key.js'

/**
 * Runs an upsert, and retries it if a concurrent upsert has inserted the document first. If two upserts find no
 * document, both insert one, and one of them fails with a duplicate key error. Its retry finds the other's document.
 */
export async function asFirstWriter<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert()
  } catch (error) {
    if (isDuplicateKey(error)) return upsert()
    throw error
  }
}
