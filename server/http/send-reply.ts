import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { Reply } from './route.js'
import { sendContent, untilGone } from './send-content.js'
import { setHeaders } from './set-headers.js'
import type { Unsent } from './unsent.js'

/**
 * Writes a reply to the client; resolves when it is handed over. Rejects where stored content cannot be
 * read, and with 503 where too much waits for its readers already; that itself is always said.
 */
export async function sendReply(response: Response, reply: Reply, unsent: Unsent): Promise<void> {
  const bytes = reply.body === undefined ? undefined : bytesOf(reply.body)
  // Errors are small; an error about missing room would only meet the same limit.
  if (bytes !== undefined && reply.status < 400) {
    const updating = unsent.update(bytes.byteLength)
    if (updating !== undefined) await updating
    if (response.closed) return
    unsent.check(bytes.byteLength)
  }
  response.beforeSend?.()
  if (reply.content !== undefined) {
    unsent.watch(response)
    return sendContent(response, reply.headers ?? {}, reply.content)
  }
  response.status(reply.status)
  setHeaders(response, reply.headers ?? {})
  if (reply.stream !== undefined && response.req.method !== 'HEAD') {
    unsent.watch(response)
    // A pipeline listens to what others listen to already.
    response.setMaxListeners(response.getMaxListeners() + 10)
    return untilGone(pipeline(Readable.from(reply.stream), response))
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
