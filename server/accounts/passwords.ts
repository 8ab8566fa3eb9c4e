import { ApiError } from '../../engine/errors.js'
import { hashPassword, matchesHash } from '../../engine/write/rules/hash-password.js'
import { isLegacyHash, verifyLegacy } from './legacy-hashes.js'
import { isShortEnough } from './password-rule.js'

/**
 * Verifies a password against an argon2id or imported hash. Takes equally long without a hash, to hide which users
 * exist. Throws `unavailable` if the queue for a hashing thread is full.
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
    // The hash is malformed.
    return false
  }
}

let dummyHash: Promise<string> | undefined

/**
 * Returns the hash that passwords are compared with if no hash is stored. After an error, the next call tries again.
 */
function keepDummyHash(): Promise<string> {
  const made = hashPassword('no user has this password')
  made.catch(() => {
    dummyHash = undefined
  })
  return made
}
