import { fail } from '../../../engine/errors.js'
import { callerKey } from '../../accounts/caller.js'
import type { HttpRequest } from '../../http/route.js'
import type { IdempotencyKey } from '../documents.js'

/**
 * Returns the `Idempotency-Key` and its caller; undefined without the header (docs/internals/decisions.md, "Creates
 * that may be repeated"). Throws a 400 if the key is invalid.
 */
export function idempotencyKeyOf({
  headers,
  caller,
}: Pick<HttpRequest, 'headers' | 'caller'>): IdempotencyKey | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw fail('bad-request', {
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces',
    })
  return { caller: callerKey(caller), key }
}
