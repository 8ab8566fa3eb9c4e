import { hash, verify } from '@node-rs/argon2'
import { isShortEnough } from './password-rule.js'

/** An argon2id hash in PHC form, with the library's costs (19 MiB, 2 passes). */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/**
 * Whether a password is the one of a hash. It takes as long where there is no hash, so that the time
 * of an answer does not tell which users exist.
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const usable = typeof stored === 'string' && isShortEnough(password)
  dummyHash ??= hash('no user has this password')
  try {
    const matches = await verify(usable ? stored : await dummyHash, usable ? password : '-')
    return usable && matches
  } catch {
    // Not an argon2 hash: nobody logs in with it.
    return false
  }
}

let dummyHash: Promise<string> | undefined
