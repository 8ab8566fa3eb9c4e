import { databaseError } from '../../../engine/errors/database-errors.js'
import { ApiError, fail } from '../../../engine/errors.js'
import { toApiError } from '../response/error-reply.js'

/**
 * Adds `details.outcome` to a 503 for a write: `not-done` if the write has not begun, otherwise `unknown`. Returns all
 * other errors unchanged, including a 503 that already has an outcome.
 * @param advice the end of the message if the outcome is unknown; it may tell the client what to do
 */
export function withOutcome(
  thrown: unknown,
  mayHaveBegun: boolean,
  advice = 'It is unknown whether the write was done',
): unknown {
  const { code, message, details, headers } = toApiError(thrown)
  if (code !== 'unavailable' || details?.['outcome'] !== undefined) return thrown
  const withDetails = fail(
    'unavailable',
    `${message}. ${mayHaveBegun ? advice : 'Nothing was changed'}`,
    { ...details, outcome: mayHaveBegun ? 'unknown' : 'not-done' },
    headers,
  )
  // The cause is for the log. The client does not see it.
  withDetails.cause = thrown
  return withDetails
}

/**
 * Returns the error for a write that was done, but whose response cannot be created or sent. If `thrown` is
 * `limit-exceeded` or a 503, adds `details.outcome` `done` and the documentId, so that clients do not repeat the write.
 * Returns other errors unchanged.
 */
export function afterWrite(thrown: unknown, documentId?: string): unknown {
  const error = thrown instanceof ApiError ? thrown : databaseError(thrown)
  const key = error && textOf[error.code]
  if (error === undefined || key === undefined) return thrown
  const { code, params, details, headers } = error
  const withDetails = new ApiError({
    code,
    // Omit `reason`: clients need to know that the write was done, not why its response is missing.
    params: { ...params, [key]: `${done} ${String(params[key])}`, reason: undefined },
    details: { ...details, outcome: 'done', documentId },
    headers,
  })
  // The cause is for the log. The client does not see it.
  withDetails.cause = thrown
  return withDetails
}

const done = 'The write was done, but its response cannot be shown.'

/** The error codes to handle, each with the name of the parameter that its message begins with. */
const textOf: Readonly<Partial<Record<ApiError['code'], string>>> = {
  'limit-exceeded': 'what',
  unavailable: 'message',
}
