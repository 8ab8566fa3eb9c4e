import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressOf } from '../request/request-client.js'
import type { MatchedRoute } from './watch-requests.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { pathOf } from '../request/target.js'
import { whenClosed } from '../response/when-closed.js'

declare module 'node:http' {
  interface IncomingMessage {
    id: string
    /** Id of the trace, from the client's `traceparent` or new. */
    traceId?: string | undefined
  }
  interface ServerResponse {
    err?: Error
    /** Why the client got a 503: the message of the response, then the cause, which the client does not see. */
    refusal?: string
  }
}

type FailedRequest = Readonly<{
  id: string
  traceId: string | undefined
  method: string
  route: MatchedRoute | undefined
  status: number
}>

export type FailureObserver = (error: Error, request: FailedRequest) => void

/**
 * Logs one line per request, without headers and query string, which may contain credentials. Omits the stack of a 503,
 * because there may be hundreds per second. `pino-http` would add 5 % to the cost of reading one document.
 */
export function accessLog(log: Logger, failed?: FailureObserver): RequestHandler {
  return (request, response, next) => {
    request.id = requestId(request, response)
    request.traceId = traceIdOf(request.headers.traceparent as string | undefined)
    const path = pathOf(request.url)
    if (path === '/_health') return next()
    const began = monotonicNow()
    // Read the address now, because a closed connection no longer has one.
    const { id, method } = request
    const address = addressOf(request)
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

/** Returns the log level. A 503 is only a warning, so that no alert fires while MongoDB elects a primary. */
function levelOf(status: number, err: Error | undefined): 'info' | 'warn' | 'error' {
  if (err !== undefined) return 'error'
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/** Sets the request's id on the response. Uses the client's `X-Request-Id` if it is safe to log. */
function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && sane.test(given) ? given : randomUUID()
  response.setHeader('X-Request-Id', id)
  return id
}

/** Request ids that are accepted from clients: long enough for trace ids, and unable to forge a log line. */
const sane = /^[\w.:-]{1,128}$/

/**
 * Returns the trace id in a `traceparent` header (W3C Trace Context, 3.2), or undefined if it is absent or invalid:
 * `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
 */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined || traceparent.length > maxLength) return undefined
  const { version, trace, rest } = form.exec(traceparent)?.groups ?? {}
  // Only versions after 00 may append further fields.
  return version === '00' && rest !== '' ? undefined : trace
}

/** A header of version 00 has 55 characters; later versions should not be much longer. */
const maxLength = 256

/** Neither id may be zero, and version `ff` is invalid. */
const form =
  /^(?!ff)(?<version>[\da-f]{2})-(?!0+-)(?<trace>[\da-f]{32})-(?!0+-)[\da-f]{16}-[\da-f]{2}(?<rest>$|-.*$)/
