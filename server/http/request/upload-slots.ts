import type { Request, Response } from 'express'
import { notDone } from '../../../engine/errors.js'
import type { Admission, Leave } from '../../../workers/admission.js'
import type { Settings } from '../../settings/settings.js'
import { boundUpload } from './arrivals.js'
import { RequestClient } from './request-client.js'
import { goneSignal } from '../response/gone-signal.js'

/**
 * Waits until the files of a request may be received. Resolves with a function that frees the slot. Throws
 * `unavailable` if too many requests wait or the wait takes too long. Rejects if the client disconnects.
 */
export type TakeUploadSlot = (request: Request, response: Response) => Promise<Leave>

/**
 * Limits the number of concurrent uploads (`upload.parallel`). An upload keeps its slot from its first byte until its
 * files are stored, because it takes some memory, whatever its size. Further uploads wait in the order of arrival, and
 * are not read while they wait.
 */
export function createUploadSlots(settings: Settings, admission: Admission): TakeUploadSlot {
  const queue = admission.queue({
    name: 'uploads',
    slots: settings['upload.parallel'],
    maxWaiting: { limit: settings['upload.queueLimit'], what: 'uploads' },
  })
  const timeoutMs = settings['upload.queueTimeoutMs']
  return async (request, response) => {
    const signal = goneSignal(response)
    const late = new AbortController()
    const turn = queue.enter({
      // The client determines how long an upload takes, so do not reject one because of an estimated duration.
      cost: 1,
      left: () => Infinity,
      timeoutMs,
      // No byte of the body is in memory.
      client: new RequestClient(request, undefined, Infinity),
      signal: AbortSignal.any([signal, late.signal]),
    })
    if (typeof turn === 'function') return turn
    const timer = setTimeout(() => {
      late.abort(notDone('The upload waited for too long', 10))
    }, timeoutMs)
    // Lift the limits on arrival while the upload waits. The service does not read then, so the client is not to blame.
    const over = boundUpload(request, Infinity, () => undefined)
    try {
      return await turn
    } finally {
      clearTimeout(timer)
      over()
    }
  }
}
