import { databaseError } from '../../engine/errors/database-errors.js'
import { ApiError } from '../../engine/errors.js'

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
