import { databaseError } from '../../../engine/errors/database-errors.js'
import { ApiError, fail } from '../../../engine/errors.js'
import { toApiError } from '../response/error-reply.js'

/**
 * Adds `details.outcome` to a 503 for a write, if absent: `not-done` if the write has not begun, otherwise `unknown`.
 * @param advice end of the message if the outcome is unknown
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
  withDetails.cause = thrown
  return withDetails
}

/**
 * Adds the documentId and `details.outcome` (`done`) to a 503 or `limit-exceeded` that occurs after the write was done,
 * because clients should not repeat the write. Returns other errors unchanged.
 */
export function afterWrite(thrown: unknown, documentId?: string): unknown {
  const error = thrown instanceof ApiError ? thrown : databaseError(thrown)
  const key = error && textOf[error.code]
  if (error === undefined || key === undefined) return thrown
  const { code, params, details, headers } = error
  const withDetails = new ApiError({
    code,
    // Tell the client that the write was done, instead of the `reason` why its response is missing.
    params: { ...params, [key]: `${done} ${String(params[key])}`, reason: undefined },
    details: { ...details, outcome: 'done', documentId },
    headers,
  })
  withDetails.cause = thrown
  return withDetails
}

const done = 'The write was done, but its response cannot be shown.'

/** For each error code: name of the parameter with which the error's message begins. */
const textOf: Readonly<Partial<Record<ApiError['code'], string>>> = {
  'limit-exceeded': 'what',
  unavailable: 'message',
}
