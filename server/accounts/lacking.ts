import { fail, type ApiError } from '../../engine/errors.js'
import type { Caller } from './caller.js'

/**
 * The 403 of a caller who lacks an action, or a right that is none. The holder of an API token is told which action
 * (docs/decisions.md, "Permissions are given one by one").
 */
export function lacking(
  { kind }: Caller,
  action?: string,
  details?: Readonly<Record<string, unknown>>,
): ApiError {
  return fail('forbidden', {}, kind === 'token' && action !== undefined ? { action } : details)
}
