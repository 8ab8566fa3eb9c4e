import type { HashCosts } from './hash-thread.js'

/**
 * Hashes and verifies passwords with argon2id in the thread pool (docs/internals/decisions.md, "Secrets are kept as
 * hashes"). If npm did not install the native binary (`--omit=optional`), WebAssembly in a worker thread takes several
 * times as long.
 */
const { hash, verify } = await import('@node-rs/argon2').catch(() => import('./hashes-in-wasm.js'))

let costs: HashCosts = { memoryCost: 19_456, timeCost: 2 }

/** For tests that hash hundreds of passwords. */
export function setHashCosts(given: HashCosts): void {
  costs = given
}

/** Returns the argon2id hash of a password, which contains its salt and costs. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs)
}

/** Whether a password matches an argon2id hash. Throws for an invalid hash. */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  return verify(stored, password)
}
