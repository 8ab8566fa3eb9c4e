import type { ServerResponse } from 'node:http'

declare module 'node:http' {
  interface ServerResponse {
    closers?: (() => void)[]
  }
}

/**
 * Calls `run` when the response has been sent or its client has disconnected. All these functions share one event
 * listener, because every request needs several of them, and a listener costs more than a call.
 */
export function whenClosed(response: ServerResponse, run: () => void): void {
  if (response.closers === undefined) {
    response.closers = [run]
    response.once('close', runAll)
  } else response.closers.push(run)
}

function runAll(this: ServerResponse): void {
  for (const run of this.closers ?? []) run()
}

/** Returns a signal that is aborted if the client disconnects before the response has been sent completely. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  whenClosed(response, () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
