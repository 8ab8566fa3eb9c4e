import { databaseError } from '../../../engine/errors/database-errors.js'
import { ApiError, fail, type ErrorCode } from '../../../engine/errors.js'
import { abridgeError } from './abridge-error.js'
import type { Json, Reply } from '../route.js'

/**
 * Returns the reply for a thrown value (docs/internals/decisions.md, "Errors in one form"). Values other than
 * `ApiError` become a 503 if the database is unreachable or the disk is full, otherwise a 500 without details.
 */
export function errorReply(thrown: unknown): Reply {
  const error = toApiError(thrown)
  const { message, details } = abridgeError({
    message: error.message,
    details: error.details ?? (withoutDetails.has(error.code) ? undefined : {}),
  })
  return {
    status: error.status,
    headers: error.headers,
    body: {
      data: null,
      error: {
        status: error.status,
        name: error.name,
        message,
        details: details as Json | undefined,
      },
    },
  }
}

/** Converts a thrown value to an `ApiError` that does not reveal internals. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return databaseError(thrown) ?? diskFull(thrown) ?? fail('internal')
}

/** Returns the error for a full disk or an exceeded disk quota. */
function diskFull(thrown: unknown): ApiError | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return undefined
  return fail('unavailable', 'The storage is full', { outcome: 'unknown' }, { 'Retry-After': '10' })
}

/** Errors whose responses have no `details` in Strapi (docs/internals/strapi-behaviour.md, "Error messages"). */
const withoutDetails: ReadonlySet<ErrorCode> = new Set([
  'syntax',
  'bad-request',
  'payload-too-large',
  'internal',
])
