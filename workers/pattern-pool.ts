import { Piscina } from 'piscina'
import { notDone } from '../engine/errors.js'
import type {
  PatternAnswer,
  PatternCheck,
  PatternChecker,
} from '../engine/patterns/pattern-check.js'
import type { PatternTask } from './pattern-worker.js'

export type PatternPoolOptions = Readonly<{
  /** Time limit in milliseconds for all pattern checks of one write. */
  timeoutMs: number
  queueLimit: number
  /** Called when the thread has died or was terminated. */
  onDeath?: (error: unknown) => void
  /** Script that the thread runs; default: `pattern-worker.js`. */
  worker?: URL
  /**
   * Milliseconds for starting the thread and for its reply, in addition to `timeoutMs`. After that, the thread is
   * terminated. Default: 10 s.
   */
  graceMs?: number
}>

export type PatternPool = Readonly<{
  check: PatternChecker
  destroy: () => Promise<void>
  /** Number of writes that wait for their pattern checks, including the write whose checks are running. */
  waiting: () => number
}>

/**
 * Runs slow pattern checks in a thread of their own, so that they delay neither requests nor expensive queries. The
 * thread starts with the first check, and stops a minute after the last. If it hangs or dies, it is replaced, and the
 * write whose checks were running gets a 503. A write also gets a 503 if more than `queueLimit` writes are already
 * waiting.
 */
export function createPatternPool(options: PatternPoolOptions): PatternPool {
  const { timeoutMs, queueLimit, onDeath, graceMs = 10_000 } = options
  const piscina = new Piscina<PatternTask, readonly PatternAnswer[]>({
    filename: (options.worker ?? new URL('./pattern-worker.js', import.meta.url)).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    atomics: 'disabled',
  })
  piscina.on('error', (error: Error) => onDeath?.(error))
  const run = async (checks: readonly PatternCheck[]): Promise<readonly PatternAnswer[]> => {
    try {
      // If the signal aborts, Piscina terminates the thread.
      const signal = AbortSignal.timeout(timeoutMs + graceMs)
      return await piscina.run({ checks, timeoutMs }, { signal })
    } catch (error) {
      onDeath?.(error)
      throw notDone('The thread for patterns died. Try again')
    }
  }
  // Number of writes that wait, including the one whose checks are running. Checks of several writes run one after the
  // other.
  let unanswered = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    check: async (checks) => {
      if (unanswered > queueLimit) throw notDone('Too many writes are waiting for pattern checks')
      unanswered += 1
      const answers = last.then(() => run(checks)).finally(() => (unanswered -= 1))
      last = answers.catch(() => undefined)
      return answers
    },
    destroy: () => piscina.destroy(),
    waiting: () => unanswered,
  }
}
