import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import type { Request } from 'express'
import type { StorageEngine } from 'multer'
import { ApiError, fail } from '../../../engine/errors.js'
import type { Route, UploadedPart } from '../route.js'
import { searchOf } from './target.js'

/** Bytes of a part that are read before `keep` decides where to store it. */
const startBytes = 65_536

/** State of one multipart request while it is received. */
export type Receiving = {
  readonly keep: Route['keep']
  readonly folder: string
  /** The received parts, by the generated `filename` under which multer knows them. */
  readonly parts: Map<string, UploadedPart>
  /** Resolves when every part that has begun to arrive is stored or has failed. Never rejects. */
  arriving: Promise<unknown>
  /** Fails the request. Later calls have no effect. */
  readonly fail: (error: Error) => void
  readonly over: AbortController
}

/**
 * Stores each file with the route's `keep`, or in a temporary file with a generated name: no text from a client may
 * become part of a path. Discards parts that arrive after the request was aborted.
 */
export function partStorage(receivingOf: (request: Request) => Receiving): StorageEngine {
  return {
    _handleFile: callbackify(async (request: Request, file: Express.Multer.File) => {
      const receiving = receivingOf(request)
      file.stream.once('limit', () => receiving.fail(tooLarge()))
      // Store parts one after the other, because the last bytes of a part stay in memory until it is stored.
      const received = receiving.arriving.then(() =>
        receive(receiving, file, searchOf(request.originalUrl)),
      )
      // Report the error immediately. multer would report it only after reading the whole request.
      receiving.arriving = received.catch((error: unknown) => {
        if (error instanceof ApiError) receiving.fail(error)
      })
      const part = await received
      const filename = randomUUID()
      receiving.parts.set(filename, part)
      if (receiving.over.signal.aborted) await discardPart(part)
      return { filename, size: part.size }
    }),
    _removeFile: callbackify(async (request: Request, { filename }: Express.Multer.File) => {
      const part = receivingOf(request).parts.get(filename)
      if (part !== undefined) await discardPart(part)
    }),
  }
}

/** Removes the stored content of a part, unless a handler has taken it over. */
export const discardPart = (part: UploadedPart): Promise<void> =>
  part.is === 'kept' ? part.stored.discard() : rm(part.path, { force: true })

async function receive(
  { keep, folder, over }: Receiving,
  { fieldname, originalname, mimetype, stream }: Express.Multer.File,
  search: string,
): Promise<UploadedPart> {
  const about = { field: fieldname, fileName: originalname, mimeType: mimetype }
  if (over.signal.aborted) {
    stream.destroy()
    throw new Error('The request was aborted')
  }
  // When the request is aborted, nothing else ends this stream, and its reader would wait forever.
  const giveUp = (): unknown => stream.destroy(new Error('The request was aborted'))
  over.signal.addEventListener('abort', giveUp, { once: true })
  const { start, chunks } = await readStart(stream)
  const counted = { size: 0 }
  const content = Readable.from(count(chunks, stream, counted), {
    objectMode: false,
    highWaterMark: startBytes,
  })
  try {
    const keeper = await keep?.({ ...about, start, search })
    over.signal.throwIfAborted()
    if (keeper !== undefined) {
      const stored = await keeper(content, over.signal)
      return { ...about, size: counted.size, is: 'kept', stored }
    }
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID())
    await pipeline(content, createWriteStream(path, { flags: 'wx' }), { signal: over.signal })
    return { ...about, size: counted.size, is: 'file', path }
  } finally {
    content.destroy()
    stream.destroy()
    // The folder may have been created after the cleanup for the aborted request.
    if (over.signal.aborted) await rm(folder, { recursive: true, force: true })
  }
}

/** Reads the first bytes of a stream. Returns them, and an iterator over all chunks, including the first bytes. */
async function readStart(stream: Readable) {
  const read: Buffer[] = []
  let size = 0
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  while (size < startBytes) {
    const next = await iterator.next()
    if (next.done === true) break
    read.push(next.value)
    size += next.value.byteLength
  }
  const start = Buffer.concat(read)
  return { start: start.subarray(0, startBytes), chunks: all(start, iterator) }
}

async function* all(start: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (start.byteLength > 0) yield start
  for (;;) {
    const next = await iterator.next()
    if (next.done === true) return
    yield next.value
  }
}

/** Passes chunks on and counts their bytes. Throws if busboy truncated the stream at the size limit. */
async function* count(
  chunks: AsyncIterable<Buffer>,
  stream: Readable,
  counted: { size: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    counted.size += chunk.byteLength
    yield chunk
  }
  if ('truncated' in stream && stream.truncated === true) throw tooLarge()
}

const tooLarge = () => fail('payload-too-large', { bound: 'upload.sizeLimit' })
