/**
 * Argon2id (docs/decisions.md, "Secrets are kept as hashes"): by the thread pool, or, where npm left out the binary
 * for this machine (`--omit=optional`), in WebAssembly on a thread, which takes a few times as long.
 */
const { hash, verify } = await import('@node-rs/argon2').catch(() => import('./hashes-in-wasm.js'))

/** The argon2id hash of a password, salted; it names its own costs (19 MiB, 2 passes). */
export async function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** Whether a password is the one of such a hash. Throws where that is none. */
export async function matchesHash(stored: string, password: string): Promise<boolean> {
  return verify(stored, password)
}
