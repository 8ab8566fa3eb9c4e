import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing, isPlanKilled } from '../errors/database-errors.js'

/** Maximum number of tries. Each index that a change of definitions drops may interrupt the command once. */
const maxTries = 5

/** Milliseconds before a command is sent again, multiplied by the number of tries so far. */
const pauseMs = 50

/**
 * Retries a command that failed because its index was dropped (definitions changed) or because its server is no longer
 * the primary. The driver retries once, which is not enough during an election. Do not use it within a transaction.
 * @param send a read, or a write that changes nothing more the second time
 * @throws any other error of `send`, and the error of the fifth try
 */
export async function retryCommand<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await send()
    } catch (error) {
      if (tries === maxTries) throw error
      if (isPassing(error)) await sleep(pauseMs * tries)
      else if (!isPlanKilled(error)) throw error
    }
}
