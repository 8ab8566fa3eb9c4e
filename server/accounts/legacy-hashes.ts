import { monotonicNow } from '../../engine/monotonic-now.js'

/** Matches bcrypt hashes of Strapi, if their cost is low enough for a response to wait for it. */
const form = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/**
 * Returns whether a stored hash was imported. The next login of its user replaces it (docs/decisions.md, "Hashes of a
 * Strapi").
 */
export const isLegacyHash = (stored: string): boolean => form.test(stored)

/** A hash that costs as much as Strapi's and matches no password. */
const dummyHash = '$2a$10$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXa'
const dummyMs = 60 * 60_000
let metAt = -Infinity

/**
 * Verifies a password against an imported hash. Within an hour after such a check, a call without a hash takes as long
 * as one with a hash. So response times do not reveal which kind of hash a user has.
 * @param stored undefined if the user has no imported hash
 */
export async function verifyLegacy(stored: string | undefined, password: string): Promise<boolean> {
  if (stored !== undefined) metAt = monotonicNow()
  else if (monotonicNow() - metAt > dummyMs) return false
  const { verify } = await import('../../engine/write/rules/hashes-in-wasm.js')
  const matches = await verify(stored ?? dummyHash, stored === undefined ? '-' : password)
  return stored !== undefined && matches
}
