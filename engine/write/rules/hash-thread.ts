import { randomBytes } from 'node:crypto'
import { argon2id, argon2Verify, bcryptVerify } from 'hash-wasm'

/** `memoryCost` in KiB; `timeCost`: number of passes over the memory. */
export type HashCosts = Readonly<{ memoryCost: number; timeCost: number }>

/** A password to hash, or to compare with a hash. */
export type HashTask = Readonly<{ password: string } & ({ costs: HashCosts } | { stored: string })>

/**
 * Entry point of the thread. Returns the argon2id hash in PHC form, or whether the password matches a hash of argon2id
 * or bcrypt. Throws if `stored` is no hash.
 */
export default async function answer(task: HashTask): Promise<string | boolean> {
  const { password } = task
  if ('costs' in task)
    return argon2id({
      password,
      salt: randomBytes(16),
      outputType: 'encoded',
      memorySize: task.costs.memoryCost,
      iterations: task.costs.timeCost,
      parallelism: 1,
      hashLength: 32,
    })
  const given = { password, hash: task.stored }
  return task.stored.startsWith('$2') ? bcryptVerify(given) : argon2Verify(given)
}
