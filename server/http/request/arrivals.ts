import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { fail } from '../../../engine/errors.js'

/**
 * Limits the time in which the body of a request arrives: `timeoutMs` milliseconds after its head, whether the body is
 * read or not. While the body is read, 10 KB have to arrive in 10 seconds. A slower request gets 408, and its
 * connection ends. Only `boundUpload` allows more time. Node's own limit is not used, because it allows no exceptions.
 * @param windowMs the period over which the rate of a body without files is measured
 */
export function boundArrivals(
  server: Server,
  listener: RequestListener,
  timeoutMs: number,
  windowMs: number = Math.min(timeoutMs, 10_000),
): RequestListener {
  const arriving = new Set<IncomingMessage>()
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    const now = performance.now()
    for (const request of arriving) {
      const bound = bounds.get(request)
      if (bound === undefined || request.complete || request.socket.destroyed)
        arriving.delete(request)
      else checkArrival(request, bound.upload ?? bound.plain, now)
    }
    if (arriving.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return (request, response) => {
    if (hasBody(request)) {
      const giveUp = (): void => {
        arriving.delete(request)
        const error = Object.assign(new Error('Request timeout'), { code: timeoutCode })
        server.emit('clientError', error, request.socket)
      }
      const plain = startArrival(request, { timeoutMs, windowMs, giveUp })
      bounds.set(request, { timeoutMs, plain, upload: undefined })
      arriving.add(request)
      request.once('end', () => arriving.delete(request))
      timer ??= setInterval(check, windowMs / 2).unref()
    }
    listener(request, response)
  }
}

/**
 * Extends the limit of a request's body to `timeoutMs` milliseconds from now. Bytes must keep arriving while the body
 * is read. Calls `giveUp` with a 408 otherwise. After the returned function is called, the rest of the body has the
 * usual limit.
 */
export function boundUpload(
  request: IncomingMessage,
  timeoutMs: number,
  giveUp: (error: Error) => void,
): () => void {
  const bound = bounds.get(request)
  if (bound === undefined) return () => undefined
  bound.upload = startArrival(request, { timeoutMs, windowMs: bound.timeoutMs, giveUp })
  return () => {
    bound.upload = undefined
    bound.plain = startArrival(request, { ...bound.plain, timeoutMs: bound.timeoutMs })
  }
}

/** Progress of an arriving body. Times are milliseconds of `performance.now`. */
type Arrival = {
  readonly windowMs: number
  readonly giveUp: (error: Error) => void
  until: number
  /**
   * Start of the current period in which the rate is measured. `read` is the number of bytes that the connection had
   * read at that time.
   */
  since: number
  read: number
}
type Bound = { readonly timeoutMs: number; plain: Arrival; upload: Arrival | undefined }

function startArrival(
  { socket }: IncomingMessage,
  options: Readonly<{ timeoutMs: number; windowMs: number; giveUp: (error: Error) => void }>,
): Arrival {
  const { windowMs, giveUp } = options
  const since = performance.now()
  return { windowMs, giveUp, until: since + options.timeoutMs, since, read: socket.bytesRead }
}

const bounds = new WeakMap<IncomingMessage, Bound>()

/** The code that Node itself uses for a request that does not arrive in time. */
const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'
/** Minimum rate of a body, in bytes per second. */
const leastRate = 1000

function checkArrival(
  { readableFlowing, socket }: IncomingMessage,
  arrival: Arrival,
  now: number,
): void {
  const { windowMs } = arrival
  const isDue = now - arrival.since >= windowMs && readableFlowing === true
  const isTooSlow = isDue && socket.bytesRead - arrival.read < (leastRate * windowMs) / 1000
  if (isTooSlow || now >= arrival.until)
    return arrival.giveUp(fail('timeout', {}, undefined, { Connection: 'close' }))
  // Measure again from now after a period ends, and while the service does not read. In the latter case the request
  // waits or the store is slow, so the client is not to blame.
  if (!isDue && readableFlowing === true) return
  arrival.since = now
  arrival.read = socket.bytesRead
}

/** Whether the request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
