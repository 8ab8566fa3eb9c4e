import { monotonicNow } from '../../engine/monotonic-now.js'

/** A bcrypt hash of Strapi, with costs that a response can wait for. */
const form = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/**
 * Whether a stored hash was imported. The next login of its user replaces it (docs/decisions.md, "Hashes of a Strapi").
 */
export const isLegacyHash = (stored: string): boolean => form.test(stored)

/** Costs as much as Strapi's hashes and matches no password. */
const dummyHash = '$2a$10$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXa'
const dummyMs = 60 * 60_000
let metAt = -Infinity

/**
 * Verifies a password against an imported hash. If one was verified within the last hour, a call without a hash takes
 * as long, so that response times do not reveal which kind of hash a user has.
 * @param stored undefined if there is no imported hash
 */
export async function verifyLegacy(stored: string | undefined, password: string): Promise<boolean> {
  if (stored !== undefined) metAt = monotonicNow()
  else if (monotonicNow() - metAt > dummyMs) return false
  const { verify } = await import('../../engine/write/rules/hashes-in-wasm.js')
  const matches = await verify(stored ?? dummyHash, stored === undefined ? '-' : password)
  return stored !== undefined && matches
}
