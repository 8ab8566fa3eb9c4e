import { hash } from '@node-rs/argon2'

/**
 * The argon2id hash of a password, salted; it names its own costs (docs/decisions.md, "Secrets are kept as
 * hashes"). Made on the thread pool.
 */
export async function hashPassword(password: string): Promise<string> {
  return hash(password)
}
