import type { ApiError } from './errors.js'
import { fail } from './errors.js'

/**
 * Time limit of a write (`api.rest.writeTimeoutMs`), including the queue, retries and server selection. Tracks whether
 * the write may have changed something.
 */
export type WriteTime = Readonly<{
  /**
   * Runs a part of the write. At the time limit, rejects with 503 but does not cancel `run`. `details.outcome` is
   * `not-done` if no change has begun (and none will), `done` if all changes were made, otherwise `unknown`.
   */
  within: <T>(run: () => Promise<T>) => Promise<T>
  /** Declares that from now on, changes may happen without a call of `begin`. Throws after the time limit. */
  presume: () => void
  /** Cancels `presume`, but not an earlier `begin`. Throws after the time limit. */
  hold: () => void
  /** Call this before each change. Throws after the time limit. */
  begin: () => void
  /** Call this when all changes are made and only the response is left. Throws after the time limit. */
  end: (documentId?: string) => void
  /** Whether `begin` or `end` was called. */
  hasBegun: () => boolean
  /** Whether a change may have begun, also after `presume`. */
  mayHaveBegun: () => boolean
  /** Milliseconds left; 0 after the limit. */
  left: () => number
}>

/**
 * Starts the time limit of a write.
 * @param timeoutMs the configured limit, for error messages
 * @param leftMs the rest of the limit, if several writes share it
 */
export function startWriteTime(timeoutMs: number, leftMs = timeoutMs): WriteTime {
  const deadline = performance.now() + leftMs
  let begun: 'no' | 'presumably' | 'yes' | 'ended' = 'no'
  let over: ApiError | undefined
  let written: string | undefined
  const goOn = (state: typeof begun): void => {
    if (over !== undefined) throw over
    begun = state
  }
  return {
    within: (run) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          over ??= tooLong(timeoutMs, outcomes[begun], written)
          reject(over)
        }, deadline - performance.now())
        run()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      }),
    presume: () => goOn(begun === 'no' ? 'presumably' : begun),
    hold: () => goOn(begun === 'presumably' ? 'no' : begun),
    begin: () => goOn('yes'),
    end: (documentId) => {
      goOn('ended')
      written = documentId
    },
    hasBegun: () => begun === 'yes' || begun === 'ended',
    mayHaveBegun: () => begun !== 'no',
    left: () => Math.max(0, deadline - performance.now()),
  }
}

const outcomes = {
  no: { outcome: 'not-done', says: 'It was not done' },
  presumably: { outcome: 'unknown', says: 'It is unknown whether it was done' },
  yes: { outcome: 'unknown', says: 'It is unknown whether it was done' },
  ended: { outcome: 'done', says: 'It was done, but its response cannot be shown' },
} as const

function tooLong(
  timeoutMs: number,
  { outcome, says }: Readonly<Record<'outcome' | 'says', string>>,
  documentId?: string,
): ApiError {
  const message = `The write took longer than ${timeoutMs} ms (api.rest.writeTimeoutMs). ${says}`
  const details = documentId === undefined ? { outcome } : { outcome, documentId }
  return fail('unavailable', message, details, { 'Retry-After': '1' })
}
