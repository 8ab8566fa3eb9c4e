import type { Response } from 'express'
import { whenClosed } from './when-closed.js'

/** Aborted when the client disconnects before it was answered. */
export function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  whenClosed(response, () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
