import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { fail } from '../../../engine/errors.js'

/**
 * Limits how long a body may take: it must arrive within `timeoutMs` milliseconds after the head, and while the service
 * reads it, at a rate of at least `leastRate`. Otherwise, the client gets a 408 and is disconnected. Unlike Node's own
 * limit, this one can be extended for a request (`boundUpload`).
 * @param windowMs period over which the rate of a body without files is measured
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
 * Gives a body `timeoutMs` milliseconds from now, as long as bytes keep arriving while the service reads. If time runs
 * out or no bytes arrive, calls `giveUp` with a 408. Returns a function that restores the usual limit.
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

type Arrival = {
  readonly windowMs: number
  readonly giveUp: (error: Error) => void
  until: number
  /** Start of the current measuring period. `read` is the number of bytes that the connection had read then. */
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

/** The error code that Node itself uses for a late request. */
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
  // While the service does not read (the request waits for a slot, or the file store is slow), a delay is not the
  // client's fault.
  if (!isDue && readableFlowing === true) return
  arrival.since = now
  arrival.read = socket.bytesRead
}

/** Returns whether the request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
