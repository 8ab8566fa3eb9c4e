import type { Response } from 'express'
import { fail } from '../../engine/errors.js'
import type { Reply } from './route.js'
import type { Unsent } from './unsent.js'

/**
 * Writes a reply to the client; resolves when it is handed over. Rejects where a file is not there, and with 503 where
 * too much waits for its readers already; that itself is always said.
 */
export async function sendReply(response: Response, reply: Reply, unsent: Unsent): Promise<void> {
  const bytes = reply.body === undefined ? undefined : bytesOf(reply.body)
  if (bytes !== undefined && reply.status < 500) unsent.check(bytes.byteLength)
  response.status(reply.status)
  setHeaders(response, reply)
  if (reply.file !== undefined) {
    unsent.watch(response)
    return sendFile(response, reply, reply.file)
  }
  if (bytes === undefined) {
    response.end()
    return
  }
  if (!response.hasHeader('Content-Type')) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
  }
  response.setHeader('Content-Length', bytes.byteLength)
  // Node leaves the bytes out of the answer to a HEAD.
  response.end(bytes)
  unsent.hold(response, bytes.byteLength)
}

/** A body as it is sent. */
export function bytesOf(body: Exclude<Reply['body'], undefined>): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
}

function setHeaders(response: Response, { headers = {} }: Reply): void {
  for (const [name, value] of Object.entries(headers)) {
    // CORS has its own word in `Vary`.
    if (name.toLowerCase() === 'vary') response.vary(value)
    else response.setHeader(name, value)
  }
}

function removeHeaders(response: Response, { headers = {} }: Reply): void {
  for (const name of Object.keys(headers)) response.removeHeader(name)
}

type StoredFile = NonNullable<Reply['file']>

function sendFile(response: Response, reply: Reply, { root, path }: StoredFile): Promise<void> {
  return new Promise((resolve, reject) => {
    // `send` refuses paths that leave the root and, with `deny`, hidden files.
    response.sendFile(path, { root, dotfiles: 'deny', cacheControl: false }, (error?: Error) => {
      if (error === undefined) return resolve()
      // They speak of the file, and the answer will be another.
      if (!response.headersSent) removeHeaders(response, reply)
      reject(toApiError(error))
    })
  })
}

/** What `send` says with a status: the file is not there, or not for anybody, or the range is not in it. */
function toApiError(error: Error): Error {
  const { status } = error as { status?: unknown }
  if (status === 416) return fail('range-not-satisfiable')
  return typeof status === 'number' && status < 500 ? fail('not-found') : error
}
