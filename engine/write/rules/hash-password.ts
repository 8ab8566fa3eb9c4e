import type { HashCosts } from './hash-thread.js'

/**
 * Hashes and verifies passwords with argon2id in the thread pool (docs/internals/decisions.md, "Secrets are kept as hashes"). If
 * npm did not install the native binary (`--omit=optional`), uses WebAssembly in a worker thread, which takes several
 * times as long.
 */
const { hash, verify } = await import('@node-rs/argon2').catch(() => import('./hashes-in-wasm.js'))

let costs: HashCosts = { memoryCost: 19_456, timeCost: 2 }

/** Sets the costs of hashing. Meant for tests that hash hundreds of passwords; no setting changes the costs. */
export function setHashCosts(given: HashCosts): void {
  costs = given
}

/** Returns the salted argon2id hash of a password. The hash contains its salt and costs. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs)
}

/** Whether a password matches an argon2id hash. Throws for an invalid hash. */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  return verify(stored, password)
}
