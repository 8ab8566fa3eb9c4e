import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fail, type ApiError } from '../../../engine/errors.js'
import { errorReply } from './error-reply.js'

/** How long a client may read the error before its connection is destroyed. */
const lingerMs = 1000

/**
 * Sends an error in the usual form when Node's parser rejects a request with 400, 408 or 431
 * (docs/internals/decisions.md, "Errors in one form"). Then disconnects, because it is unknown where the next request
 * starts.
 */
export function answerClientErrors(server: Server): void {
  const begun = new WeakMap<Socket, ServerResponse>()
  server.on('request', (request, response) => begun.set(request.socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const current = begun.get(socket)
    // Do not write an error into the middle of another response.
    const answering = current?.headersSent === true && !current.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || answering) {
      socket.destroy()
      return
    }
    endWithAnswer(socket, toApiError(error))
  })
}

/** Sends an error on a socket that has no response object, then closes the connection. */
export function endWithAnswer(socket: Socket, error: ApiError): void {
  socket.end(rawAnswer(error))
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

function toApiError(error: NodeJS.ErrnoException): ApiError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return fail('headers-too-large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return fail('timeout')
  return fail('bad-request', 'The request is not HTTP')
}

function rawAnswer(error: ApiError): string {
  const reply = errorReply(error)
  const body = JSON.stringify(reply.body)
  return [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(reply.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
