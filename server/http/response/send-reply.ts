import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { Reply } from '../route.js'
import { sendContent, setHeaders, untilGone } from './send-content.js'
import type { OutputBuffers } from './output-buffers.js'

/**
 * Sends a reply. Resolves when all of it has been passed to the socket. Rejects if stored content cannot be read.
 * Rejects with a 503 if clients have too many unread bytes.
 */
export async function sendReply(
  response: Response,
  reply: Reply,
  outputBuffers: OutputBuffers,
): Promise<void> {
  const bytes = reply.body === undefined ? undefined : bytesOf(reply.body)
  // Do not check the size of an error response: it is small, and the 503 for an exceeded limit would itself exceed the
  // limit.
  if (bytes !== undefined && reply.status < 400) {
    const updating = outputBuffers.update(bytes.byteLength)
    if (updating !== undefined) await updating
    if (response.closed) return
    outputBuffers.check(bytes.byteLength)
  }
  response.beforeSend?.()
  if (reply.content !== undefined) {
    outputBuffers.watch(response)
    return sendContent(response, reply.headers ?? {}, reply.content)
  }
  response.status(reply.status)
  setHeaders(response, reply.headers ?? {})
  if (reply.stream !== undefined && response.req.method !== 'HEAD') {
    outputBuffers.watch(response)
    // The pipeline adds listeners to those that the response already has, and Node would warn about more than ten.
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
  response.end(bytes)
  outputBuffers.hold(response, bytes.byteLength)
}

/** Returns a body as bytes. */
export function bytesOf(body: Exclude<Reply['body'], undefined>): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
}
