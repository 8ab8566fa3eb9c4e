import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { ApiError, fail } from '../../../engine/errors.js'
import type { HeaderTexts, Reply, SentContent } from '../route.js'
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

type Part = Readonly<{ start: number; end: number }>

/**
 * Sends all of the content, the requested range, or a 304. Resolves when all bytes have been passed on. Rejects if an
 * error occurs before the status is set, so that the error can still be sent. A later error cuts the connection.
 */
async function sendContent(
  response: Response,
  headers: HeaderTexts,
  content: SentContent,
): Promise<void> {
  const request = response.req
  const about = {
    ETag: content.etag,
    'Last-Modified': content.modifiedAt.toUTCString(),
    'Accept-Ranges': 'bytes',
  }
  if (has(request, response, about)) {
    response.status(304)
    setHeaders(response, { ...headers, ...about })
    response.removeHeader('Content-Type')
    response.end()
    return
  }
  const part = partOf(request, content, about)
  const { start, end } = part ?? { start: 0, end: content.size - 1 }
  const length = end - start + 1
  const source =
    request.method === 'HEAD' || length === 0 ? undefined : await begin(response, content, part)
  if (response.closed) {
    source?.destroy()
    return
  }
  response.status(part === undefined ? 200 : 206)
  setHeaders(response, {
    ...headers,
    ...about,
    'Content-Length': `${length}`,
    ...(part && { 'Content-Range': `bytes ${start}-${end}/${content.size}` }),
  })
  if (source === undefined) {
    response.end()
    return
  }
  await untilGone(pipeline(source, exactly(length), response))
}

/** Ignores the error of a client that disconnects while its response is sent. */
const untilGone = (sending: Promise<void>): Promise<void> =>
  sending.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })

/** Sets the headers only temporarily, because Express compares the request with the headers of the response. */
function has(request: Request, response: Response, about: HeaderTexts): boolean {
  const { ETag, 'Last-Modified': modified } = about
  response.status(200).set({ ETag, 'Last-Modified': modified })
  const { fresh } = request
  response.removeHeader('ETag')
  response.removeHeader('Last-Modified')
  return fresh
}

/**
 * Returns the requested range. Returns undefined for all of the content, also if the request has several ranges or its
 * `If-Range` refers to different content.
 */
function partOf(request: Request, { size }: SentContent, about: HeaderTexts): Part | undefined {
  // Ranges are defined for GET only (RFC 9110, 14.2).
  if (request.method === 'HEAD') return undefined
  const condition = request.get('If-Range')
  const isMeant =
    condition === undefined || condition === about.ETag || condition === about['Last-Modified']
  // A suffix range longer than the content means all of the content (RFC 9110, 14.1.2), but Express's parser rejects
  // it.
  const suffix = isMeant ? /^bytes=\s*-(\d+)\s*$/.exec(request.get('Range') ?? '')?.[1] : undefined
  if (size > 0 && Number(suffix ?? 0) >= size) return { start: 0, end: size - 1 }
  const ranges = isMeant ? request.range(size, { combine: true }) : undefined
  if (ranges === -1) {
    const headers = { 'Content-Range': `bytes */${size}` }
    throw fail('range-not-satisfiable', {}, undefined, headers)
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

/** Opens the content and waits until its first bytes can be read. Until then, an error can still be sent instead. */
async function begin(
  response: Response,
  content: SentContent,
  part: Part | undefined,
): Promise<Readable> {
  const isLeft = new AbortController()
  const leave = (): void => isLeft.abort()
  response.once('close', leave)
  let source: Readable | undefined
  try {
    source = await content.open(part)
    if (source === undefined) throw fail('not-found')
    // The pipeline handles later errors.
    source.on('error', () => undefined)
    if (source.errored !== null) throw source.errored
    await once(source, 'readable', { signal: isLeft.signal })
    return source
  } catch (error) {
    source?.destroy()
    throw error instanceof ApiError ? error : unreadable()
  } finally {
    response.off('close', leave)
  }
}

const unreadable = (): ApiError =>
  fail(
    'unavailable',
    'The content of the file cannot be read at present',
    {},
    { 'Retry-After': '1' },
  )

/** Passes bytes on. Throws if there are more or fewer than `length` bytes. */
const exactly = (length: number) =>
  async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = length
    for await (const chunk of chunks) {
      left -= chunk.byteLength
      if (left < 0) break
      yield chunk
    }
    if (left !== 0) throw new Error('A stored file has an unexpected length')
  }

/** Sets headers of a response; extends an existing `Vary` header. */
function setHeaders(response: Response, headers: HeaderTexts): void {
  for (const [name, value] of Object.entries(headers)) {
    // The CORS middleware may already have set `Vary`.
    if (name.toLowerCase() === 'vary') response.vary(value)
    else response.setHeader(name, value)
  }
}
