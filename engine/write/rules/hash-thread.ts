import { randomBytes } from 'node:crypto'
import { argon2id, argon2Verify, bcryptVerify } from 'hash-wasm'

/** `memoryCost` in KiB; `timeCost` is the number of passes over the memory. */
export type HashCosts = Readonly<{ memoryCost: number; timeCost: number }>

/** Asks the worker thread to hash a password with `costs`, or to compare it with a `stored` hash. */
export type HashTask = Readonly<{ password: string } & ({ costs: HashCosts } | { stored: string })>

/**
 * Entry point of the worker thread. Returns the argon2id hash in PHC format, or whether the password matches an
 * argon2id or bcrypt hash. Throws if `stored` is not a valid hash.
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
