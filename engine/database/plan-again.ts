import { isPlanKilled } from '../errors/database-errors.js'

/** How often a read is sent at most: each of the indexes that a change of definitions takes away may end it once. */
const tries = 5

/**
 * Sends a read again that the database has given up because the index it went by is gone, as happens while definitions
 * change: another index, or none, serves it the next time. Not for what writes, and not within a transaction.
 * @throws whatever `read` rejects with otherwise, or for the fifth time
 */
export async function planAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left -= 1)
    try {
      return await read()
    } catch (error) {
      if (left <= 1 || !isPlanKilled(error)) throw error
    }
}
