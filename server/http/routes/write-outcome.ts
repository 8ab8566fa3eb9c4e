import { databaseError } from '../../../engine/errors/database-errors.js'
import { ApiError, fail } from '../../../engine/errors.js'
import { toApiError } from '../response/error-reply.js'

/**
 * Adds `details.outcome` to the 503 of a write: `not-done` if the write has not begun, otherwise `unknown`. Returns
 * other errors unchanged, and also a 503 that already has an outcome.
 * @param advice what the client can do if the outcome is unknown
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
  // The log shows the cause.
  withDetails.cause = thrown
  return withDetails
}

/**
 * Returns the error for a write that was done, but whose response cannot be shown. The error is `thrown` with
 * `details.outcome` `done` and the documentId, so that clients do not repeat the write. Returns errors of other kinds
 * unchanged.
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
  // The log shows the cause.
  withDetails.cause = thrown
  return withDetails
}

const done = 'The write was done, but its response cannot be shown.'

/** Names the parameter that begins the text of each error. */
const textOf: Readonly<Partial<Record<ApiError['code'], string>>> = {
  'limit-exceeded': 'what',
  unavailable: 'message',
}
