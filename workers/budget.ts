import { tookTooLong } from '../engine/errors/database-errors.js'
import { steadyNow } from '../engine/steady-now.js'

/** When a read's time is over, by `steadyNow`, and how long it had. */
export type Budget = Readonly<{ deadline: number; timeoutMs: number }>

/** The time that a read has from now on. */
export function startBudget(timeoutMs: number): Budget {
  return { deadline: steadyNow() + timeoutMs, timeoutMs }
}

/**
 * Rejects with 503 as soon as the time is over. What runs is not told: the database has the same
 * deadline. It costs a timer, where a signal costs as much as a tenth of reading a document.
 */
export function inTime<T>({ deadline, timeoutMs }: Budget, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tookTooLong(timeoutMs)), deadline - steadyNow())
    run()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

/**
 * Runs what can be stopped: the signal is aborted when the time is over or the client is gone, with
 * what is then thrown as its reason (503, or the reason of the client's signal).
 */
export async function stoppable<T>(
  { deadline, timeoutMs }: Budget,
  client: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  client?.throwIfAborted()
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(tookTooLong(timeoutMs)), deadline - steadyNow())
  const onGone = (): void => stop.abort(client?.reason)
  client?.addEventListener('abort', onGone, { once: true })
  try {
    return await run(stop.signal)
  } finally {
    clearTimeout(timer)
    client?.removeEventListener('abort', onGone)
  }
}
