import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { fail } from '../../engine/errors.js'

/**
 * Bounds how long the body of a request may take to arrive, whoever reads it or not: `timeoutMs` milliseconds from its
 * head on, then it is answered 408 and its connection ends. Only what is received by `boundUpload` may take longer.
 * Node's own bound knows no exceptions.
 */
export function boundArrivals(
  server: Server,
  listener: RequestListener,
  timeoutMs: number,
): RequestListener {
  const arriving = new Set<IncomingMessage>()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const now = performance.now()
    for (const request of arriving) {
      const bound = bounds.get(request)
      if (bound === undefined || request.complete || request.socket.destroyed)
        arriving.delete(request)
      else if (bound.upload !== undefined) lookAtUpload(request, bound.upload, now, timeoutMs)
      else if (now >= bound.until) {
        arriving.delete(request)
        const error = Object.assign(new Error('Request timeout'), { code: timeoutCode })
        server.emit('clientError', error, request.socket)
      }
    }
    if (arriving.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return (request, response) => {
    if (hasBody(request)) {
      bounds.set(request, { timeoutMs, until: performance.now() + timeoutMs, upload: undefined })
      arriving.add(request)
      request.once('end', () => arriving.delete(request))
      timer ??= setInterval(look, Math.min(timeoutMs, maxLookMs)).unref()
    }
    listener(request, response)
  }
}

/**
 * Until the function that it returns is called, the body of the request may take `timeoutMs` milliseconds from now on,
 * if it keeps moving whenever it is read; `giveUp` is called with a 408 where it does not. What is left of it then has
 * as long as any other body.
 */
export function boundUpload(
  request: IncomingMessage,
  timeoutMs: number,
  giveUp: (error: Error) => void,
): () => void {
  const bound = bounds.get(request)
  if (bound === undefined) return () => undefined
  const now = performance.now()
  bound.upload = { until: now + timeoutMs, since: now, read: request.socket.bytesRead, giveUp }
  return () => {
    bound.upload = undefined
    bound.until = performance.now() + bound.timeoutMs
  }
}

type Upload = {
  until: number
  /** Since when the rate is measured, and what the connection had read then. */
  since: number
  read: number
  giveUp: (error: Error) => void
}
/** Times are milliseconds of `performance.now`. */
type Bound = { readonly timeoutMs: number; until: number; upload: Upload | undefined }

const bounds = new WeakMap<IncomingMessage, Bound>()

/** What Node itself says of a request that does not arrive in time. */
const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'
/** How often what arrives is looked after at least, in milliseconds. */
const maxLookMs = 5000
/** What arrives of an upload in a second at least, in bytes. */
const leastRate = 1000

function lookAtUpload(
  { readableFlowing, socket }: IncomingMessage,
  upload: Upload,
  now: number,
  windowMs: number,
): void {
  const isDue = now - upload.since >= windowMs && readableFlowing === true
  const isTooSlow = isDue && socket.bytesRead - upload.read < (leastRate * windowMs) / 1000
  if (isTooSlow || now >= upload.until)
    return upload.giveUp(fail('timeout', {}, undefined, { Connection: 'close' }))
  // Where it is not read, because it waits or the store is slow, that nothing arrives is not the client's doing.
  if (!isDue && readableFlowing === true) return
  upload.since = now
  upload.read = socket.bytesRead
}

/** Whether something comes after its head. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
