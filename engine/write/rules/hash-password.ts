import type { HashCosts } from './hash-thread.js'

/**
 * Hashes with argon2id (docs/decisions.md, "Secrets are kept as hashes") in the thread pool. If npm left out the binary
 * for this machine (`--omit=optional`), WebAssembly in a thread does it, which takes a few times as long.
 */
const { hash, verify } = await import('@node-rs/argon2').catch(() => import('./hashes-in-wasm.js'))

let costs: HashCosts = { memoryCost: 19_456, timeCost: 2 }

/** For tests, which hash hundreds of passwords. There is no setting for it. */
export function setHashCosts(given: HashCosts): void {
  costs = given
}

/** Returns the salted argon2id hash of a password, which includes its costs. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs)
}

/** Whether a password matches such a hash. Throws for an invalid hash. */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  return verify(stored, password)
}
