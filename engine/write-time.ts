import type { ApiError } from './errors.js'
import { fail } from './errors.js'

/**
 * The time that a write has (`api.rest.writeTimeoutMs`), its queue, its repetitions and the search for a database
 * included, and whether it may have begun when that is over.
 */
export type WriteTime = Readonly<{
  /**
   * Runs a part of the write. When the time is over it rejects with 503; what runs is left to end by itself.
   * `details.outcome` is `not-done` where nothing was begun, and then never is, else `unknown`.
   */
  within: <T>(run: () => Promise<T>) => Promise<T>
  /** To be called before something is changed. Throws where the time is over. */
  begin: () => void
  /** What runs from now on will tell itself when it begins. */
  hold: () => void
}>

/** The time that a write has from now on. */
export function startWriteTime(timeoutMs: number): WriteTime {
  const deadline = performance.now() + timeoutMs
  let begun = false
  let over: ApiError | undefined
  return {
    within: (run) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          over ??= begun ? mayBeDone(timeoutMs) : notDone(timeoutMs)
          reject(over)
        }, deadline - performance.now())
        run()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      }),
    begin: () => {
      if (over !== undefined) throw over
      begun = true
    },
    hold: () => (begun = false),
  }
}

const mayBeDone = (timeoutMs: number): ApiError =>
  tooLong(timeoutMs, 'Whether it was done is not known', 'unknown')
const notDone = (timeoutMs: number): ApiError => tooLong(timeoutMs, 'It was not done', 'not-done')

function tooLong(timeoutMs: number, says: string, outcome: string): ApiError {
  const message = `The write took longer than ${timeoutMs} ms (api.rest.writeTimeoutMs). ${says}`
  return fail('unavailable', { message }, { outcome }, { 'Retry-After': '1' })
}
