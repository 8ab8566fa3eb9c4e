import type { HashCosts } from './hash-thread.js'

/**
 * Hashes with argon2id (docs/decisions.md, "Secrets are kept as hashes") in the thread pool. If npm left out the binary
 * for this machine (`--omit=optional`), uses WebAssembly in a thread, which takes several times as long.
 */
const { hash, verify } = await import('@node-rs/argon2').catch(() => import('./hashes-in-wasm.js'))

let costs: HashCosts = { memoryCost: 19_456, timeCost: 2 }

/** Sets the costs, for tests that hash hundreds of passwords. There is no setting for the costs. */
export function setHashCosts(given: HashCosts): void {
  costs = given
}

/** Returns the salted argon2id hash of a password, which includes its costs. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs)
}

/** Whether a password matches an argon2id hash. Throws for an invalid hash. */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  return verify(stored, password)
}
