import type { Request, Response } from 'express'
import { notDone } from '../../../engine/errors.js'
import type { Admission, Leave } from '../../../workers/admission.js'
import type { Settings } from '../../settings/settings.js'
import { boundUpload } from './arrivals.js'
import { RequestClient } from './request-client.js'
import { goneSignal } from '../response/gone-signal.js'

/**
 * Resolves with a function that frees the slot, once the files of a request may be received. Throws `unavailable` if
 * too many wait or it takes too long. Rejects if the client has gone.
 */
export type TakeUploadSlot = (request: Request, response: Response) => Promise<Leave>

/**
 * Bounds concurrent uploads (`upload.parallel`), from their first byte until their files are stored. The memory of an
 * upload does not grow with its size, but each one takes some. The others wait in the order of arrival, and are not
 * read meanwhile.
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
      // The client determines how long an upload takes, so none is rejected by an estimate.
      cost: 1,
      left: () => Infinity,
      timeoutMs,
      // None of its body is in memory.
      client: new RequestClient(request, undefined, Infinity),
      signal: AbortSignal.any([signal, late.signal]),
    })
    if (typeof turn === 'function') return turn
    const timer = setTimeout(() => {
      late.abort(notDone('The upload waited for too long', 10))
    }, timeoutMs)
    // Nothing arrives meanwhile because the service does not read, so the client is not to blame.
    const over = boundUpload(request, Infinity, () => undefined)
    try {
      return await turn
    } finally {
      clearTimeout(timer)
      over()
    }
  }
}
