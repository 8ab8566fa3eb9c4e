import { setTimeout as sleep } from 'node:timers/promises'
import { isRetryable, isPlanKilled } from '../errors/database-errors.js'

/**
 * Maximum number of attempts. Applying changed definitions may drop several indexes, and each drop may interrupt the
 * command once.
 */
const maxTries = 5

/** Milliseconds before the next attempt, to be multiplied by the number of attempts so far. */
const pauseMs = 50

/**
 * Retries a command that failed because the index it used was dropped, or because its server is no longer the primary.
 * The driver retries only once, which is too little during an election. Do not use it within a transaction.
 * @param send sends a read, or a write that changes nothing more when it is repeated
 * @throws the error of the fifth attempt, and any error after which a retry does not help
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
