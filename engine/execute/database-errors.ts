import { MongoError, MongoNetworkError, MongoServerSelectionError } from 'mongodb'
import type { ApiError } from '../errors.js'
import { fail } from '../errors.js'

/** `MaxTimeMSExpired`, `Interrupted`. */
const timeoutCodes: ReadonlySet<unknown> = new Set([50, 11601])

/**
 * What the client is told of an error of the driver, or the error itself where it is our fault: that
 * the database took too long or cannot be reached is a 503, which says that trying again helps.
 */
export function describeDatabaseError(error: unknown, timeoutMs?: number): unknown {
  if (isBrokenConnection(error)) return unreachable()
  if (!(error instanceof MongoError)) return error
  if (timeoutCodes.has(error.code)) {
    return unavailable(
      timeoutMs === undefined
        ? 'The database took too long'
        : `The query took longer than ${timeoutMs} ms (api.rest.queryTimeoutMs)`,
    )
  }
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) {
    return unreachable()
  }
  return error
}

/** What the driver does not wrap: a write to a socket whose other end has just gone. */
function isBrokenConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ECONNRESET')
  )
}

const unreachable = (): ApiError => unavailable('The database cannot be reached')

function unavailable(message: string): ApiError {
  return fail('unavailable', { message }, {}, { 'Retry-After': '1' })
}
