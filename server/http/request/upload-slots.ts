import type { Request, Response } from 'express'
import { notDone } from '../../../engine/errors.js'
import type { Admission, Leave } from '../../../workers/admission.js'
import type { Settings } from '../../settings/settings.js'
import { boundUpload } from './arrivals.js'
import { RequestClient } from './request-client.js'
import { goneSignal } from '../response/when-closed.js'

/**
 * Resolves with a function that frees the slot. Rejects with `unavailable` if too many requests wait or this one waits
 * too long. Also rejects if the client disconnects.
 */
export type TakeUploadSlot = (request: Request, response: Response) => Promise<Leave>

/**
 * Limits concurrent uploads (`upload.parallel`), because each takes some memory. An upload keeps its slot until its
 * files are stored. While an upload waits for a slot, nothing is read from its connection.
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
      // How long an upload takes depends on the client, so the wait cannot be estimated.
      cost: 1,
      left: () => Infinity,
      timeoutMs,
      client: new RequestClient(request, undefined, Infinity),
      signal: AbortSignal.any([signal, late.signal]),
    })
    if (typeof turn === 'function') return turn
    const timer = setTimeout(() => {
      late.abort(notDone('The upload waited for too long', 10))
    }, timeoutMs)
    // While the upload waits, the service does not read its body, so the time limit for the body must not count.
    const over = boundUpload(request, Infinity, () => undefined)
    try {
      return await turn
    } finally {
      clearTimeout(timer)
      over()
    }
  }
}
