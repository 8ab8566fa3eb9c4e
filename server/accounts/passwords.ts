import { ApiError } from '../../engine/errors.js'
import { hashPassword, matchesHash } from '../../engine/write/rules/hash-password.js'
import { isLegacyHash, verifyLegacy } from './legacy-hashes.js'
import { isShortEnough } from './password-rule.js'

/**
 * Verifies a password against a hash, of argon2id or an imported kind. Takes as long if there is no hash, so that
 * response times do not reveal which users exist. Throws `unavailable` if the queue for a thread is full.
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const given = typeof stored === 'string' && isShortEnough(password) ? stored : undefined
  const isLegacy = given !== undefined && isLegacyHash(given)
  const usable = given !== undefined && !isLegacy
  dummyHash ??= keepDummyHash()
  try {
    const [matches, matchesLegacy] = await Promise.all([
      matchesHash(usable ? given : await dummyHash, usable ? password : '-'),
      verifyLegacy(isLegacy ? given : undefined, password),
    ])
    return isLegacy ? matchesLegacy : usable && matches
  } catch (error) {
    if (error instanceof ApiError) throw error
    // The hash is malformed, so nobody can log in with it.
    return false
  }
}

let dummyHash: Promise<string> | undefined

/** Hashes the dummy password once. If that fails, the next call tries again. */
function keepDummyHash(): Promise<string> {
  const made = hashPassword('no user has this password')
  made.catch(() => {
    dummyHash = undefined
  })
  return made
}
