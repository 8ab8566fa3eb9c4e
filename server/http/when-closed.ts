import type { ServerResponse } from 'node:http'

declare module 'node:http' {
  interface ServerResponse {
    /** What is to be done when it is over. */
    closers?: (() => void)[]
  }
}

/**
 * Calls back when an answer was taken, or its client is gone; in the order in which it is asked for. Each listener of an
 * event costs more than a call, and every request has some.
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
