import type { Response } from 'express'
import type { Reply } from './route.js'
import { sendContent } from './send-content.js'
import { setHeaders } from './set-headers.js'
import type { Unsent } from './unsent.js'

/**
 * Writes a reply to the client; resolves when it is handed over. Rejects where stored content cannot be
 * read, and with 503 where too much waits for its readers already; that itself is always said.
 */
export async function sendReply(response: Response, reply: Reply, unsent: Unsent): Promise<void> {
  const bytes = reply.body === undefined ? undefined : bytesOf(reply.body)
  if (bytes !== undefined && reply.status < 500) unsent.check(bytes.byteLength)
  response.beforeSend?.()
  if (reply.content !== undefined) {
    unsent.watch(response)
    return sendContent(response, reply.headers ?? {}, reply.content)
  }
  response.status(reply.status)
  setHeaders(response, reply.headers ?? {})
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
