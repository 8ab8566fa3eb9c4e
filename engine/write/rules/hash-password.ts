import type { HashCosts } from './hash-thread.js'

/**
 * Argon2id (docs/decisions.md, "Secrets are kept as hashes"): by the thread pool, or, where npm left out the binary
 * for this machine (`--omit=optional`), in WebAssembly on a thread, which takes a few times as long.
 */
const { hash, verify } = await import('@node-rs/argon2').catch(() => import('./hashes-in-wasm.js'))

let costs: HashCosts = { memoryCost: 19_456, timeCost: 2 }

/** For tests, which hash hundreds of passwords. No setting leads here. */
export function setHashCosts(given: HashCosts): void {
  costs = given
}

/** The argon2id hash of a password, salted; it names its own costs. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs)
}

/** Whether a password is the one of such a hash. Throws where that is none. */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  return verify(stored, password)
}
