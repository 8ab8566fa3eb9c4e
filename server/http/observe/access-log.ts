import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressOf } from '../request/address.js'
import type { MatchedRoute } from './watch-requests.js'
import { traceIdOf } from '../request/trace-parent.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { pathOf } from '../request/target-parts.js'
import { whenClosed } from '../response/when-closed.js'

declare module 'node:http' {
  interface IncomingMessage {
    /** In the log, and in the `X-Request-Id` of the response. */
    id: string
    /** Id of the trace that the request belongs to: from the client's `traceparent`, or of a trace begun here. */
    traceId?: string | undefined
  }
  interface ServerResponse {
    /** An error that is logged but not shown to the client. */
    err?: Error
    /** Why a client got 503: the message that it was sent, and the cause. */
    refusal?: string
  }
}

/** A request that ended with an unhandled error. */
type FailedRequest = Readonly<{
  id: string
  traceId: string | undefined
  method: string
  /** Undefined if no route matched. */
  route: MatchedRoute | undefined
  status: number
}>

export type FailureObserver = (error: Error, request: FailedRequest) => void

/**
 * Logs one line per request: method, path, status and time. Headers and the query string are left out, because they may
 * hold credentials (reset and confirmation codes). An error that is hidden from the client is logged with its stack. A
 * 503 is logged with its message only, because there may be hundreds of them in a second. `pino-http` is not used: it
 * creates two loggers for each request, which costs a twentieth of a read of one document.
 */
export function accessLog(log: Logger, failed?: FailureObserver): RequestHandler {
  return (request, response, next) => {
    request.id = requestId(request, response)
    request.traceId = traceIdOf(request.headers.traceparent as string | undefined)
    const path = pathOf(request.url)
    if (path === '/_health') return next()
    const began = monotonicNow()
    // Read it now, because a closed connection has no address any more. `http.trustProxy` decides which one it is.
    const { id, method } = request
    const address = addressOf(request)
    // Called after the last byte, or when the client disconnects before it.
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

/** A 503 is a warning, so that alerts on errors do not fire during elections. */
function levelOf(status: number, err: Error | undefined): 'info' | 'warn' | 'error' {
  if (err !== undefined) return 'error'
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/** Returns the request's id: the client's `X-Request-Id` if it is sane, else a new one. Sets it on the response. */
function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && sane.test(given) ? given : randomUUID()
  response.setHeader('X-Request-Id', id)
  return id
}

/** Long enough for trace ids. Excludes characters that could forge a log line. */
const sane = /^[\w.:-]{1,128}$/
