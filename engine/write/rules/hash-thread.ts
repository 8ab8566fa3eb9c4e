import { randomBytes } from 'node:crypto'
import { argon2id, argon2Verify, bcryptVerify } from 'hash-wasm'

/** A password to hash, or to compare with a hash. */
export type HashTask = Readonly<{ password: string; stored?: string }>

/** Those of `@node-rs/argon2`: 19 MiB, 2 passes, one lane. */
const costs = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const

/**
 * What the thread does: the argon2id hash in PHC form, or whether it is the password's, one of bcrypt too. Throws where
 * `stored` is no hash.
 */
export default async function answer({ password, stored }: HashTask): Promise<string | boolean> {
  if (stored === undefined)
    return argon2id({ ...costs, password, salt: randomBytes(16), outputType: 'encoded' })
  const given = { password, hash: stored }
  return stored.startsWith('$2') ? bcryptVerify(given) : argon2Verify(given)
}
