import type { Response } from 'express'

/** Aborted when the client disconnects before it was answered. */
export function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
