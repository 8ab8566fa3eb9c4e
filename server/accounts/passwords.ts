import { ApiError } from '../../engine/errors.js'
import { hashPassword, matchesHash } from '../../engine/write/rules/hash-password.js'
import { isFormerHash, verifyFormer } from './former-hashes.js'
import { isShortEnough } from './password-rule.js'

/**
 * Whether a password is the one of a hash, of argon2id or a former one. It takes as long where there is no hash, so that
 * the time of an answer does not tell which users exist. Throws `unavailable` where too many passwords wait for a thread.
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const given = typeof stored === 'string' && isShortEnough(password) ? stored : undefined
  const isFormer = given !== undefined && isFormerHash(given)
  const usable = given !== undefined && !isFormer
  dummyHash ??= keepDummyHash()
  try {
    const [matches, matchesFormer] = await Promise.all([
      matchesHash(usable ? given : await dummyHash, usable ? password : '-'),
      verifyFormer(isFormer ? given : undefined, password),
    ])
    return isFormer ? matchesFormer : usable && matches
  } catch (error) {
    if (error instanceof ApiError) throw error
    // A hash of neither kind: nobody logs in with it.
    return false
  }
}

let dummyHash: Promise<string> | undefined

/** One that could not be made is made again by the next who asks; who does not need it is not bothered. */
function keepDummyHash(): Promise<string> {
  const made = hashPassword('no user has this password')
  made.catch(() => {
    dummyHash = undefined
  })
  return made
}
