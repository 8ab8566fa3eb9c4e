import type { RawObject } from '../../../engine/schema/read-options.js'
import { hashPassword } from '../../../engine/write/rules/hash-password.js'
import { isFormerHash } from '../../../server/accounts/former-hashes.js'
import type { Notes } from '../../import-strapi/notes.js'
import { plainValue } from './plain-value.js'

/**
 * The value of a scalar attribute as an export of a Strapi 5 would have it. What was never written is the default, as
 * a Strapi 3 reads it; what was written as null stays so.
 * @param place for what is told
 */
export async function convertScalar(
  attribute: RawObject,
  stored: unknown,
  place: string,
  notes: Notes,
): Promise<unknown> {
  const value = plainValue(stored === undefined ? attribute['default'] : stored)
  if (value === null) return null
  switch (attribute['type']) {
    case 'password':
      return concealed(value, place, notes)
    case 'biginteger':
      return typeof value === 'number' ? String(value) : value
    case 'date':
      // Before 3.0 it was kept as a moment.
      return typeof value === 'string' ? value.slice(0, 'YYYY-MM-DD'.length) : value
    default:
      return value
  }
}

/** A Strapi 3 keeps what a project's own types call a password as it was sent. */
async function concealed(value: unknown, place: string, notes: Notes): Promise<unknown> {
  if (typeof value !== 'string' || isFormerHash(value)) return value
  notes.adapted('values of passwords, which were kept as plain text, and are hashed', place)
  return hashPassword(value)
}
