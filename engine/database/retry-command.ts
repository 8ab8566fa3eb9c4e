import { setTimeout as sleep } from 'node:timers/promises'
import { isRetryable, isPlanKilled } from '../errors/database-errors.js'

/** Applying changed definitions may drop several indexes, and each drop may interrupt the command once. */
const maxTries = 5

/** Milliseconds before the next attempt, multiplied by the number of attempts so far. */
const pauseMs = 50

/**
 * Retries a command that failed because the index it used was dropped, or because its server is no longer the primary.
 * The driver retries only once, too little during an election. Do not use it within a transaction.
 * @param send sends a read, or a write that can be repeated without changing anything more
 * @throws any other error of `send`, and the error of the fifth attempt
 */
export async function retryCommand<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await send()
    } catch (error) {
      if (tries === maxTries) throw error
      if (isRetryable(error)) await sleep(pauseMs * tries)
      else if (!isPlanKilled(error)) throw error
    }
}
