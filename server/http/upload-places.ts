import type { Request, Response } from 'express'
import { notDone } from '../../engine/errors.js'
import type { Admission, Leave } from '../../workers/admission.js'
import type { Settings } from '../settings/settings.js'
import { boundUpload } from './arrivals.js'
import { RequestAsker } from './asker.js'
import { goneSignal } from './gone-signal.js'

/**
 * Answers when the files of a request may be received; whoever is done with them calls what it answers. Throws
 * `unavailable` where too many wait or it takes too long, and rejects where the client has gone.
 */
export type TakeUploadPlace = (request: Request, response: Response) => Promise<Leave>

/**
 * Bounds how many uploads are under way together (`upload.parallel`), from their first byte until their files are
 * stored: what one of them holds in memory does not grow with its size, but each of them holds it. The others wait in
 * the order in which they came, and are not read meanwhile.
 */
export function createUploadPlaces(settings: Settings, admission: Admission): TakeUploadPlace {
  const line = admission.line({
    name: 'uploads',
    places: settings['upload.parallel'],
    maxWaiting: { limit: settings['upload.queueLimit'], what: 'uploads' },
  })
  const timeoutMs = settings['upload.queueTimeoutMs']
  return async (request, response) => {
    const signal = goneSignal(response)
    const late = new AbortController()
    const turn = line.enter({
      // How long an upload takes is its client's affair: none is refused by an estimate.
      cost: 1,
      left: () => Infinity,
      timeoutMs,
      // Nothing of its body is held.
      asker: new RequestAsker(request, undefined, Infinity),
      signal: AbortSignal.any([signal, late.signal]),
    })
    if (typeof turn === 'function') return turn
    const timer = setTimeout(() => {
      late.abort(notDone('The upload waited for too long', 10))
    }, timeoutMs)
    // That nothing arrives meanwhile is not the client's doing.
    const over = boundUpload(request, Infinity, () => undefined)
    try {
      return await turn
    } finally {
      clearTimeout(timer)
      over()
    }
  }
}
