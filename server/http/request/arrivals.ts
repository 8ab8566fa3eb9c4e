import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { fail } from '../../../engine/errors.js'

/**
 * Limits how long the body of a request may take to arrive: `timeoutMs` milliseconds after the head, whether or not the
 * service reads the body. While the service reads the body, at least 10 KB must arrive in 10 seconds. A slower request
 * gets a 408, and its connection is closed. `boundUpload` can grant a single request more time; Node's own time limit
 * allows no such exceptions.
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
 * Gives a request's body `timeoutMs` milliseconds from now to arrive. While the service reads the body, bytes must keep
 * arriving. If the body is too slow, calls `giveUp` with a 408. Returns a function that restores the usual limit for
 * the rest of the body.
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

/** Progress of an arriving body. Times are values of `performance.now`, in milliseconds. */
type Arrival = {
  readonly windowMs: number
  readonly giveUp: (error: Error) => void
  until: number
  /**
   * Start of the period over which the rate is currently measured. `read` is the number of bytes that the connection
   * had read at that time.
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

/** The error code that Node itself uses for a request that does not arrive in time. */
const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'
/** Minimum rate at which a body must arrive, in bytes per second. */
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
  // Start a new period if the last one has ended, or if the service is not reading. When the service does not read,
  // because the request waits in a queue or the file store is slow, the delay is not the client's fault.
  if (!isDue && readableFlowing === true) return
  arrival.since = now
  arrival.read = socket.bytesRead
}

/** Whether the request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
