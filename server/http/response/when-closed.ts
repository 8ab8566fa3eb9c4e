import type { ServerResponse } from 'node:http'

declare module 'node:http' {
  interface ServerResponse {
    /** Callbacks for the end of the response. */
    closers?: (() => void)[]
  }
}

/**
 * Calls back when the response is sent or its client is gone, in order of registration. Each event listener costs more
 * than a call, and every request has several callbacks.
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
