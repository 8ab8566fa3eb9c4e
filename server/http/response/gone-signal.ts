import type { Response } from 'express'
import { whenClosed } from './when-closed.js'

/** Returns a signal that is aborted if the client disconnects before the response has been sent completely. */
export function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  whenClosed(response, () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
