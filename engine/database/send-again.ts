import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing, isPlanKilled } from '../errors/database-errors.js'

/** How often a command is sent at most: each of the indexes that a change of definitions takes away may end it once. */
const maxTries = 5

/** Before a command is sent again that no server answered; times the number of tries. */
const pauseMs = 50

/**
 * Sends a command again that the database did not answer: because the index it went by is gone, as happens while
 * definitions change, or because the server that it reached is no longer the primary. The driver itself sends it twice,
 * which is too few for an election. Not within a transaction.
 * @param send a read, or a write that changes nothing more the second time
 * @throws whatever `send` rejects with otherwise, or for the fifth time
 */
export async function sendAgain<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await send()
    } catch (error) {
      if (tries === maxTries) throw error
      if (isPassing(error)) await sleep(pauseMs * tries)
      else if (!isPlanKilled(error)) throw error
    }
}
