import type { Budget } from '../engine/read/execute/budget.js'
import type { ApiError } from '../engine/errors.js'
import { tookTooLong } from '../engine/errors/database-errors.js'

/**
 * Rejects with 503 as soon as the time is over. Does not stop `run`, because the database has the same deadline. So it
 * needs only a timer. An abort signal would cost a tenth of the time of reading a document.
 */
export function inTime<T>(budget: Budget, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = whenOver(budget, reject)
    run().then(resolve, reject).finally(ended)
  })
}

/** Calls `over` when the time is over. Call the returned function to cancel it. */
function whenOver({ left, timeoutMs }: Budget, over: (error: ApiError) => void): () => void {
  const check = (): void => {
    const ms = left()
    // The budget's clock may have stood still since the timer was set, or stand still now.
    if (ms > 0) timer = setTimeout(check, Math.max(ms, 20))
    else over(tookTooLong(timeoutMs))
  }
  let timer = setTimeout(check, left())
  return () => clearTimeout(timer)
}

/**
 * Runs a task that can be stopped. Aborts the signal when the time is over or the client has disconnected, and throws
 * its reason: 503, or the reason of the client's signal.
 */
export async function stoppable<T>(
  budget: Budget,
  client: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  client?.throwIfAborted()
  const stop = new AbortController()
  const ended = whenOver(budget, (error) => stop.abort(error))
  const onGone = (): void => stop.abort(client?.reason)
  client?.addEventListener('abort', onGone, { once: true })
  try {
    return await run(stop.signal)
  } finally {
    ended()
    client?.removeEventListener('abort', onGone)
  }
}
