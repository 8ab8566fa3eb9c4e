import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { loopTurns } from '../http/request/loop-turns.js'

/** A long string, compressed in memory. */
export type PackedText = Readonly<Awaited<ReturnType<typeof packText>>>

/** Maximum time for creating pieces in one turn of the event loop, in milliseconds. */
const turnMs = 5

/** Number of characters that are compressed as one chunk. */
const packedAtOnce = 65_536

/** Creates the text piece by piece, with pauses for other requests, and compresses it in Node's thread pool. */
export async function packText(pieces: Iterable<string>) {
  const digest = createHash('sha1')
  const made = async function* (): AsyncGenerator<Buffer> {
    let waiting = ''
    const turns = loopTurns(turnMs)
    const take = (): Buffer => {
      const bytes = Buffer.from(waiting)
      digest.update(bytes)
      waiting = ''
      return bytes
    }
    for (const piece of pieces) {
      waiting += piece
      if (waiting.length >= packedAtOnce) yield take()
      while (turns.isOver()) await turns.next()
    }
    yield take()
  }
  const packed = await pipeline(made, createGzip(), (source) => buffer(source))
  return {
    /** Compressed size in bytes. */
    size: packed.byteLength,
    /** A strong ETag in quotes. */
    etag: `"${digest.digest('base64url')}"`,
    /** Returns the decompressed text. Concurrent callers share the same bytes. */
    bytes: unpacking(packed),
  }
}

const unpack = promisify<Uint8Array, Uint8Array>(gunzip)

function unpacking(packed: Uint8Array): () => Promise<Uint8Array> {
  let underWay: Promise<Uint8Array> | undefined
  // The decompressed bytes, reused while a response still refers to them.
  let sent: WeakRef<Uint8Array> | undefined
  return async () => {
    const there = sent?.deref()
    if (there !== undefined) return there
    underWay ??= unpack(packed).finally(() => (underWay = undefined))
    const bytes = await underWay
    sent = new WeakRef(bytes)
    return bytes
  }
}
