import { fail } from '../../engine/errors.js'
import { toApiError } from '../http/error-reply.js'

/**
 * Runs a write and what makes its answer. Where the database is lost or late meanwhile, nobody knows whether
 * the write was done, and the answer says so: 503 with `outcome: 'unknown'`, and what to do about it. What is known
 * not to be done (`outcome: 'not-done'`) stays as it is.
 */
export async function uncertainWrite<T>(advice: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    const { code, message, details, headers } = toApiError(thrown)
    if (code !== 'unavailable' || details?.['outcome'] === 'not-done') throw thrown
    const error = fail('unavailable', { message: `${message}. ${advice}` }, unknown, headers)
    // For the log, which otherwise would not tell what happened.
    error.cause = thrown
    throw error
  }
}

const unknown = { outcome: 'unknown' }
