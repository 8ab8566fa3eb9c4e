import type { ServerResponse } from 'node:http'

declare module 'node:http' {
  interface ServerResponse {
    /** Functions to call when the response has been sent or its client has disconnected. */
    closers?: (() => void)[]
  }
}

/**
 * Calls `run` when the response has been sent or its client has disconnected. Functions are called in order of
 * registration. All functions share one event listener, because a listener costs more than a call, and every request
 * needs several functions.
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
