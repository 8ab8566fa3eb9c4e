import { Piscina } from 'piscina'
import { notDone } from '../../errors.js'
import type { HashCosts, HashTask } from './hash-thread.js'

/** Maximum number of waiting passwords. Each takes about 0.1 s, so the last one waits about 5 s. */
const maxWaiting = 50

/** The thread starts with the first password, and ends after a minute without work. */
const thread = new Piscina<HashTask, string | boolean>({
  filename: new URL('./hash-thread.js', import.meta.url).href,
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 60_000,
  atomics: 'disabled',
})

/** Like `hash` of `@node-rs/argon2`. Throws `unavailable` if the queue is full. */
export const hash = async (password: string, costs: HashCosts): Promise<string> =>
  String(await run({ password, costs }))

/** Like `verify` of `@node-rs/argon2`, but also for bcrypt hashes. Throws `unavailable` if the queue is full. */
export const verify = async (stored: string, password: string): Promise<boolean> =>
  (await run({ password, stored })) === true

async function run(task: HashTask): Promise<string | boolean> {
  if (thread.queueSize >= maxWaiting) throw notDone('Too many passwords are being checked')
  return thread.run(task)
}
