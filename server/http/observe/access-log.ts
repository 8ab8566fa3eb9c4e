import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressOf } from '../request/address.js'
import type { MatchedRoute } from './watch-requests.js'
import { traceIdOf } from './trace-parent.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { pathOf } from '../request/target-parts.js'
import { whenClosed } from '../response/when-closed.js'

declare module 'node:http' {
  interface IncomingMessage {
    /** Id of the request, for the log and for the `X-Request-Id` header of the response. */
    id: string
    /** Id of the trace that the request belongs to: from the client's `traceparent`, or a new one. */
    traceId?: string | undefined
  }
  interface ServerResponse {
    /** An error that is logged but not shown to the client. */
    err?: Error
    /** Why the client got a 503: the message in the response, followed by the cause. */
    refusal?: string
  }
}

/** A request that failed with an unhandled error. */
type FailedRequest = Readonly<{
  id: string
  traceId: string | undefined
  method: string
  /** The route that the request matched; undefined if none. */
  route: MatchedRoute | undefined
  status: number
}>

export type FailureObserver = (error: Error, request: FailedRequest) => void

/**
 * Logs one line per request: method, path, status and time. Omits headers and the query string, which may contain
 * credentials (reset and confirmation codes). Logs an error that is hidden from the client with its stack. Logs a 503
 * without its stack, because there may be hundreds per second. Does not use `pino-http`, which creates two loggers for
 * each request; that would add a twentieth to the cost of reading one document.
 */
export function accessLog(log: Logger, failed?: FailureObserver): RequestHandler {
  return (request, response, next) => {
    request.id = requestId(request, response)
    request.traceId = traceIdOf(request.headers.traceparent as string | undefined)
    const path = pathOf(request.url)
    if (path === '/_health') return next()
    const began = monotonicNow()
    // Read the address now, because a closed connection no longer has one. `http.trustProxy` decides whether the
    // address comes from the connection or from a proxy's header.
    const { id, method } = request
    const address = addressOf(request)
    // Called after the last byte of the response has been sent, or when the client disconnects earlier.
    whenClosed(response, () => {
      const { statusCode: status, err, refusal } = response
      const { traceId } = request
      const line = {
        reqId: id,
        traceId,
        req: { method, path, address },
        res: { status },
        err,
        refusal,
        responseTime: monotonicNow() - began,
      }
      log[levelOf(status, err)](line, `${method} ${path} ${status}`)
      if (err !== undefined) failed?.(err, { id, traceId, method, status, route: response.route })
    })
    next()
  }
}

/**
 * Returns the log level for a response. A 503 is only a warning, so that alerts on errors do not fire while MongoDB
 * elects a new primary.
 */
function levelOf(status: number, err: Error | undefined): 'info' | 'warn' | 'error' {
  if (err !== undefined) return 'error'
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/**
 * Returns the request's id and sets it on the response. Uses the client's `X-Request-Id` if its text is safe to log.
 */
function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && sane.test(given) ? given : randomUUID()
  response.setHeader('X-Request-Id', id)
  return id
}

/**
 * Matches request ids that are accepted from clients. The length suffices for trace ids. The characters cannot be used
 * to forge a log line.
 */
const sane = /^[\w.:-]{1,128}$/
