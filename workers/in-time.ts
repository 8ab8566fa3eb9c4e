import type { Budget } from '../engine/read/execute/budget.js'
import type { ApiError } from '../engine/errors.js'
import { tookTooLong } from '../engine/errors/database-errors.js'

/**
 * Rejects with a 503 at the time limit. The database stops the query at the same time, so `run` needs no abort signal,
 * which would cost a tenth of the time to read a document.
 */
export function inTime<T>(budget: Budget, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = whenOver(budget, reject)
    run().then(resolve, reject).finally(ended)
  })
}

/** Calls `over` at the time limit. The returned function cancels the call. */
function whenOver({ left, timeoutMs }: Budget, over: (error: ApiError) => void): () => void {
  const check = (): void => {
    const ms = left()
    // The budget's clock may have been paused meanwhile. Then check again later.
    if (ms > 0) timer = setTimeout(check, Math.max(ms, 20))
    else over(tookTooLong(timeoutMs))
  }
  let timer = setTimeout(check, left())
  return () => clearTimeout(timer)
}

/**
 * Runs a task with a signal that aborts at the time limit, with a 503 as reason, or when the client disconnects. `run`
 * must then throw the reason.
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
