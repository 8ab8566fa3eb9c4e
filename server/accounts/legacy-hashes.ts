import { monotonicNow } from '../../engine/monotonic-now.js'

/** Matches bcrypt hashes from Strapi whose cost is low enough to check during a request. */
const form = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/** Returns whether a hash was imported from Strapi (docs/internals/decisions.md, "Password hashes from Strapi"). */
export const isLegacyHash = (stored: string): boolean => form.test(stored)

/** A bcrypt hash that matches no password and has the same cost as Strapi's. */
const dummyHash = '$2a$10$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXa'
const dummyMs = 60 * 60_000
let metAt = -Infinity

/**
 * Verifies a password against an imported hash. For an hour after such a check, calls without a hash take equally long,
 * so that response times do not reveal which users were imported.
 *
 * @param stored undefined if the user has no imported hash
 */
export async function verifyLegacy(stored: string | undefined, password: string): Promise<boolean> {
  if (stored !== undefined) metAt = monotonicNow()
  else if (monotonicNow() - metAt > dummyMs) return false
  const { verify } = await import('../../engine/write/rules/hashes-in-wasm.js')
  const matches = await verify(stored ?? dummyHash, stored === undefined ? '-' : password)
  return stored !== undefined && matches
}
