import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressOf } from './address.js'
import type { MatchedRoute } from './watch-requests.js'
import { traceIdOf } from './trace-parent.js'
import { steadyNow } from '../../engine/steady-now.js'
import { pathOf } from './target-parts.js'
import { whenClosed } from './when-closed.js'

declare module 'node:http' {
  interface IncomingMessage {
    /** In the log, and in the answer's `X-Request-Id`. */
    id: string
    /** Of the trace that it belongs to: as the client says, or as it was begun here. */
    traceId?: string | undefined
  }
  interface ServerResponse {
    /** What went wrong, and is not told to the client. */
    err?: Error
    /** Why the client is to try again later, as it was told, and what the cause was. */
    refusal?: string
  }
}

/** A request whose client was told no more than that something went wrong. */
type FailedRequest = Readonly<{
  id: string
  traceId: string | undefined
  method: string
  /** Undefined where none was found. */
  route: MatchedRoute | undefined
  status: number
}>

export type FailureObserver = (error: Error, request: FailedRequest) => void

/**
 * One line per request: method, path, status, time. No headers and no query string, which may hold
 * credentials (reset and confirmation codes). An error that the client is not told about is in it, with its stack;
 * of a refusal its message, because there may be hundreds in a second.
 * `pino-http` makes two loggers for every request, which is a twentieth of what a read of one document costs.
 */
export function accessLog(log: Logger, failed?: FailureObserver): RequestHandler {
  return (request, response, next) => {
    request.id = requestId(request, response)
    request.traceId = traceIdOf(request.headers.traceparent as string | undefined)
    const path = pathOf(request.url)
    if (path === '/_health') return next()
    const began = steadyNow()
    // Asked now, because a connection that was closed has no address any more; `http.trustProxy` says whose it is.
    const { id, method } = request
    const address = addressOf(request)
    // Comes after the last byte, and where the client left before it.
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
        responseTime: steadyNow() - began,
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

/** The id of a request: the client's `X-Request-Id` where it is sane, else a new one; the answer carries it. */
function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && sane.test(given) ? given : randomUUID()
  response.setHeader('X-Request-Id', id)
  return id
}

/** Long enough for trace ids, and nothing that could forge a line of the log. */
const sane = /^[\w.:-]{1,128}$/
