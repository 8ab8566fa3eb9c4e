import { Piscina } from 'piscina'
import { notDone } from '../../errors.js'
import type { HashCosts, HashTask } from './hash-thread.js'

/** At about 0.1 s for each, the last one waits no longer than people wait for a login. */
const maxWaiting = 50

/** One thread, which starts with the first password and ends after a minute without any. */
const thread = new Piscina<HashTask, string | boolean>({
  filename: new URL('./hash-thread.js', import.meta.url).href,
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 60_000,
  atomics: 'disabled',
})

/** Like `hash` of `@node-rs/argon2`. Throws `unavailable` if too many wait. */
export const hash = async (password: string, costs: HashCosts): Promise<string> =>
  String(await run({ password, costs }))

/**
 * Like `verify` of `@node-rs/argon2`, and also for hashes of bcrypt, which are not created here. Throws `unavailable`
 * if too many wait.
 */
export const verify = async (stored: string, password: string): Promise<boolean> =>
  (await run({ password, stored })) === true

async function run(task: HashTask): Promise<string | boolean> {
  if (thread.queueSize >= maxWaiting) throw notDone('Too many passwords are being checked')
  return thread.run(task)
}
