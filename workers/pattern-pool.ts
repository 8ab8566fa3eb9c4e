import { Piscina } from 'piscina'
import { notDone } from '../engine/errors.js'
import type {
  PatternAnswer,
  PatternCheck,
  PatternChecker,
} from '../engine/patterns/pattern-check.js'
import type { PatternTask } from './pattern-worker.js'

export type PatternPoolOptions = Readonly<{
  /** Time limit for all patterns of one write. */
  timeoutMs: number
  queueLimit: number
  /** Called when a thread has died or was terminated. */
  onDeath?: (error: unknown) => void
  /** Script of the thread; default `pattern-worker.js`. */
  worker?: URL
  /** Extra time for the start and the reply of a thread before it is ended; default 10 s. */
  graceMs?: number
}>

export type PatternPool = Readonly<{
  check: PatternChecker
  destroy: () => Promise<void>
  /** Number of writes that wait for patterns, including the current one. */
  waiting: () => number
}>

/**
 * Runs slow patterns in a thread, so that they delay neither requests nor expensive queries. The thread starts with the
 * first check and stops a minute after the last. If the thread hangs or dies, it is replaced, and the write that waited
 * for it gets 503. A write also gets 503 if more than `queueLimit` writes wait.
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
      // Piscina ends the thread of an aborted task.
      const signal = AbortSignal.timeout(timeoutMs + graceMs)
      return await piscina.run({ checks, timeoutMs }, { signal })
    } catch (error) {
      onDeath?.(error)
      throw notDone('The thread for patterns died. Try again')
    }
  }
  // Checks of several writes run one after the other. The count includes the current write.
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
