import type { ServerResponse } from 'node:http'

declare module 'node:http' {
  interface ServerResponse {
    /** Functions to call when the response is closed. */
    closers?: (() => void)[]
  }
}

/**
 * Calls `run` when the response is sent or its client disconnects. Functions are called in order of registration. All
 * of them share one event listener, because a listener costs more than a call and every request needs several.
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
