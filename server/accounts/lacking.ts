import { fail, type ApiError } from '../../engine/errors.js'
import type { Caller } from './caller.js'

/**
 * Returns the 403 error. For API tokens it names the missing action (docs/internals/decisions.md, "Permissions are
 * given one by one").
 */
export function lacking(
  { kind }: Caller,
  action?: string,
  details?: Readonly<Record<string, unknown>>,
): ApiError {
  return fail('forbidden', {}, kind === 'token' && action !== undefined ? { action } : details)
}
