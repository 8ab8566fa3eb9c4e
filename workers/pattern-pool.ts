import { Piscina } from 'piscina'
import { notDone } from '../engine/errors.js'
import type {
  PatternAnswer,
  PatternCheck,
  PatternChecker,
} from '../engine/patterns/pattern-check.js'
import type { PatternTask } from './pattern-worker.js'

export type PatternPoolOptions = Readonly<{
  /** Time limit for all pattern checks of one write. */
  timeoutMs: number
  queueLimit: number
  /** Called when the thread has died or was terminated. */
  onDeath?: (error: unknown) => void
  worker?: URL
  /**
   * Milliseconds in addition to `timeoutMs`, to start the thread and to reply. Then the thread is terminated. Default:
   * 10 s.
   */
  graceMs?: number
}>

export type PatternPool = Readonly<{
  check: PatternChecker
  destroy: () => Promise<void>
  /** Writes whose pattern checks are waiting or running. */
  waiting: () => number
}>

/**
 * Runs slow pattern checks in a thread of their own. The thread starts with the first check, and stops a minute after
 * the last. If it hangs or dies, it is replaced, and the write is rejected with a 503, as are writes beyond
 * `queueLimit`.
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
      // Aborting terminates the thread.
      const signal = AbortSignal.timeout(timeoutMs + graceMs)
      return await piscina.run({ checks, timeoutMs }, { signal })
    } catch (error) {
      onDeath?.(error)
      throw notDone('The thread for patterns died. Try again')
    }
  }
  // Writes whose checks are waiting or running. Only the checks of one write run at a time.
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
