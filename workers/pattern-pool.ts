import { Piscina } from 'piscina'
import { notDone } from '../engine/errors.js'
import type {
  PatternAnswer,
  PatternCheck,
  PatternChecker,
} from '../engine/patterns/pattern-check.js'
import type { PatternTask } from './pattern-worker.js'

export type PatternPoolOptions = Readonly<{
  /** For the patterns of one write. */
  timeoutMs: number
  queueLimit: number
  /** Told of a thread that died or was ended. */
  onDeath?: (error: unknown) => void
  /** What the thread runs; default `pattern-worker.js`. */
  worker?: URL
  /** How much longer than its time a thread may take to start and to answer before it is ended; default 10 s. */
  graceMs?: number
}>

export type PatternPool = Readonly<{
  check: PatternChecker
  destroy: () => Promise<void>
  /** Writes that wait for patterns, the one whose turn it is included. */
  waiting: () => number
}>

/**
 * One thread for patterns that may take long, so that they hold up neither requests nor heavy queries. It is started
 * when the first check comes, stops a minute after the last, and is replaced where it hangs or dies: who waited for
 * it is answered 503. So is who would have to wait behind more than `queueLimit` others.
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
      // Piscina ends the thread of a task that is aborted.
      const signal = AbortSignal.timeout(timeoutMs + graceMs)
      return await piscina.run({ checks, timeoutMs }, { signal })
    } catch (error) {
      onDeath?.(error)
      throw notDone('The thread for patterns was lost; try again')
    }
  }
  // One after the other; the one that runs is counted too.
  let unanswered = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    check: async (checks) => {
      if (unanswered > queueLimit) throw notDone('Too many writes wait for patterns')
      unanswered += 1
      const answers = last.then(() => run(checks)).finally(() => (unanswered -= 1))
      last = answers.catch(() => undefined)
      return answers
    },
    destroy: () => piscina.destroy(),
    waiting: () => unanswered,
  }
}
