import type { ApiError } from '../errors.js'
import { fail } from '../errors.js'

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
  /** What runs from now on may change something without telling before. Throws where the time is over. */
  presume: () => void
  /** What runs from now on tells before it changes something; what has begun already stays so. Throws as `presume`. */
  hold: () => void
  /** To be called before something is changed. Throws as `presume`. */
  begin: () => void
  /** Whether something that told has begun. */
  hasBegun: () => boolean
  /** How much of it is left, in milliseconds; 0 when it is over. */
  left: () => number
}>

/**
 * The time that a write has from now on.
 * @param timeoutMs what is told; of one of several that share it, `leftMs` is what is left of it
 */
export function startWriteTime(timeoutMs: number, leftMs = timeoutMs): WriteTime {
  const deadline = performance.now() + leftMs
  let begun: 'no' | 'presumably' | 'yes' = 'no'
  let over: ApiError | undefined
  const goOn = (state: typeof begun): void => {
    if (over !== undefined) throw over
    begun = state
  }
  return {
    within: (run) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          over ??= begun === 'no' ? notDone(timeoutMs) : mayBeDone(timeoutMs)
          reject(over)
        }, deadline - performance.now())
        run()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      }),
    presume: () => goOn(begun === 'yes' ? 'yes' : 'presumably'),
    hold: () => goOn(begun === 'yes' ? 'yes' : 'no'),
    begin: () => goOn('yes'),
    hasBegun: () => begun === 'yes',
    left: () => Math.max(0, deadline - performance.now()),
  }
}

const mayBeDone = (timeoutMs: number): ApiError =>
  tooLong(timeoutMs, 'Whether it was done is not known', 'unknown')
const notDone = (timeoutMs: number): ApiError => tooLong(timeoutMs, 'It was not done', 'not-done')

function tooLong(timeoutMs: number, says: string, outcome: string): ApiError {
  const message = `The write took longer than ${timeoutMs} ms (api.rest.writeTimeoutMs). ${says}`
  return fail('unavailable', { message }, { outcome }, { 'Retry-After': '1' })
}
