import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { ApiError, fail } from '../../engine/errors.js'
import type { SentContent, HeaderTexts } from './route.js'
import { setHeaders } from './set-headers.js'

type Part = Readonly<{ start: number; end: number }>

/**
 * Sends stored content, whole or the one range that is asked for, or says that the client has it already. The status
 * and the headers are those of the answer where it is sent; nothing is set where this rejects before. Resolves when
 * all is handed over; a source that fails midway cuts the connection, so that nobody takes a part for the whole.
 */
export async function sendContent(
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

/** A client who leaves stops what is sent; that is nobody's fault. */
export const untilGone = (sending: Promise<void>): Promise<void> =>
  sending.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })

/** Whether the client has it already. Express asks the headers of the answer. */
function has(request: Request, response: Response, about: HeaderTexts): boolean {
  const { ETag, 'Last-Modified': modified } = about
  response.status(200).set({ ETag, 'Last-Modified': modified })
  const { fresh } = request
  response.removeHeader('ETag')
  response.removeHeader('Last-Modified')
  return fresh
}

/** Undefined for all of it: also where several ranges are asked for, or ones of another content (`If-Range`). */
function partOf(request: Request, { size }: SentContent, about: HeaderTexts): Part | undefined {
  // A range has a meaning for GET alone (RFC 9110, 14.2).
  if (request.method === 'HEAD') return undefined
  const condition = request.get('If-Range')
  const isMeant =
    condition === undefined || condition === about.ETag || condition === about['Last-Modified']
  // Of what is shorter than the end that is asked for it is all (RFC 9110, 14.1.2), which the parser refuses.
  const suffix = isMeant ? /^bytes=\s*-(\d+)\s*$/.exec(request.get('Range') ?? '')?.[1] : undefined
  if (size > 0 && Number(suffix ?? 0) >= size) return { start: 0, end: size - 1 }
  const ranges = isMeant ? request.range(size, { combine: true }) : undefined
  if (ranges === -1) {
    const said = { 'Content-Range': `bytes */${size}` }
    throw fail('range-not-satisfiable', {}, undefined, said)
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

/** Opens the source and waits for its first bytes: until then what fails can still be said. */
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
    // Later failures are the pipeline's.
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

/** Passes on so many bytes; throws where there are less, or more. */
const exactly = (length: number) =>
  async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = length
    for await (const chunk of chunks) {
      left -= chunk.byteLength
      if (left < 0) break
      yield chunk
    }
    if (left !== 0) throw new Error('A stored content has another length than was said')
  }
