import { fail } from '../../engine/errors.js'
import { toApiError } from './error-reply.js'

/**
 * What is told where a write failed with a 503: whether it was done, as `details.outcome`. It is `not-done` where nothing
 * was begun, else `unknown`. What was thrown otherwise, or says so itself, stays as it is.
 * @param advice what to do where the outcome is not known
 */
export function withOutcome(
  thrown: unknown,
  mayHaveBegun: boolean,
  advice = 'Whether it was done is not known',
): unknown {
  const { code, message, details, headers } = toApiError(thrown)
  if (code !== 'unavailable' || details?.['outcome'] !== undefined) return thrown
  const told = fail(
    'unavailable',
    { message: `${message}. ${mayHaveBegun ? advice : 'The write was not done'}` },
    { ...details, outcome: mayHaveBegun ? 'unknown' : 'not-done' },
    headers,
  )
  // For the log, which otherwise would not tell what happened.
  told.cause = thrown
  return told
}
