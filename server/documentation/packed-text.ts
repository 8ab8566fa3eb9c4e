import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { loopTurns } from '../http/loop-turns.js'

/** A long text that is kept small. */
export type PackedText = Readonly<Awaited<ReturnType<typeof packText>>>

/** Milliseconds of a turn of the event loop in which pieces are made. */
const turnMs = 5

/** Characters that are packed together. */
const packedAtOnce = 65_536

/**
 * Packs a text while its pieces are made. That takes a little of each turn of the event loop, so that requests are
 * answered in between; packing and unpacking are done by Node's threads. Rejects with what making throws.
 */
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
    /** What it takes in memory while nobody asks for it. */
    size: packed.byteLength,
    /** A strong tag of the text, in its quotes. */
    etag: `"${digest.digest('base64url')}"`,
    /** All of it; who asks for it at the same time gets the same bytes. */
    bytes: unpacking(packed),
  }
}

const unpack = promisify<Uint8Array, Uint8Array>(gunzip)

function unpacking(packed: Uint8Array): () => Promise<Uint8Array> {
  let underWay: Promise<Uint8Array> | undefined
  // As long as somebody has not received them yet, they are there anyway.
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
