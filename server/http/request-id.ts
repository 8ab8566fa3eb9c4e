import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The id of a request: the client's `X-Request-Id` where it is sane, else a new one; the answer carries it. */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && sane.test(given) ? given : randomUUID()
  response.setHeader('X-Request-Id', id)
  return id
}

/** Long enough for trace ids, and nothing that could forge a line of the log. */
const sane = /^[\w.:-]{1,128}$/
