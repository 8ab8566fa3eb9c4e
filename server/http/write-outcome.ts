import { databaseError } from '../../engine/errors/database-errors.js'
import { ApiError, fail } from '../../engine/errors.js'
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

/**
 * What is told where a write was done and its answer cannot be shown: the same error, which says so, with
 * `details.outcome` `done` and which document it was; who did not know might write it again. What was thrown otherwise
 * stays as it is.
 */
export function afterWrite(thrown: unknown, documentId?: string): unknown {
  const error = thrown instanceof ApiError ? thrown : databaseError(thrown)
  const key = error && textOf[error.code]
  if (error === undefined || key === undefined) return thrown
  const { code, params, details, headers } = error
  const told = new ApiError({
    code,
    // For the client the write matters, and not why its answer is missing.
    params: { ...params, [key]: `${done} ${String(params[key])}`, reason: undefined },
    details: { ...details, outcome: 'done', documentId },
    headers,
  })
  // For the log, which otherwise would not tell what happened.
  told.cause = thrown
  return told
}

const done = 'The write was done, but its answer cannot be shown.'

/** Which part of an error's text comes first. */
const textOf: Readonly<Partial<Record<ApiError['code'], string>>> = {
  'limit-exceeded': 'what',
  unavailable: 'message',
}
