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
import { searchOf } from './target-parts.js'

/** Number of bytes of a part that are read before `keep` decides where the part goes. */
const startBytes = 65_536

/** The state of receiving one request. */
export type Receiving = {
  readonly keep: Route['keep']
  /** Folder of the temporary files. The first temporary file creates it. */
  readonly folder: string
  /** The received parts, by the `filename` that multer gets for each. */
  readonly parts: Map<string, UploadedPart>
  /** Resolves when all parts that have begun to arrive are stored or have failed. Never rejects. */
  arriving: Promise<unknown>
  /** Called with the error of the first part that cannot be received. */
  readonly fail: (error: Error) => void
  /** Aborted when the request is aborted or fails. */
  readonly over: AbortController
}

/**
 * Creates multer's storage for the files of a request. Stores each part where the route's `keep` decides, by default in
 * a temporary file. File names on disk are generated, so no text of the client becomes a path. Parts that arrive after
 * their request was aborted are discarded.
 */
export function partStorage(receivingOf: (request: Request) => Receiving): StorageEngine {
  return {
    _handleFile: callbackify(async (request: Request, file: Express.Multer.File) => {
      const receiving = receivingOf(request)
      file.stream.once('limit', () => receiving.fail(tooLarge()))
      // Receive the parts one after the other, because the last bytes of each are in memory until it is stored.
      const received = receiving.arriving.then(() =>
        receive(receiving, file, searchOf(request.originalUrl)),
      )
      // Report the error at once, because multer itself reads a request to its end before it reports an error.
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

/** Removes the content of a part, unless a handler has taken it over. */
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
  // Destroy the stream to stop its reader, because the end of the request does not reach the stream.
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
    // The folder may have been created after the aborted request removed it, so remove it again.
    if (over.signal.aborted) await rm(folder, { recursive: true, force: true })
  }
}

/** Reads the first bytes of a stream. Returns them, and an iterator over all chunks, the first bytes included. */
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

/** Passes chunks on and counts their bytes. Throws if the stream was cut at its limit. */
async function* count(
  chunks: AsyncIterable<Buffer>,
  stream: Readable,
  counted: { size: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    counted.size += chunk.byteLength
    yield chunk
  }
  // busboy sets `truncated` on a stream that it cut.
  if ('truncated' in stream && stream.truncated === true) throw tooLarge()
}

const tooLarge = () => fail('payload-too-large', { bound: 'upload.sizeLimit' })
