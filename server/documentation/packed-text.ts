import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { loopTurns } from '../http/loop-turns.js'

/** A long text that is kept small. */
export type PackedText = Readonly<{
  /** What it takes in memory while nobody asks for it. */
  size: number
  /** A strong tag of the text, in its quotes. */
  etag: string
  /** All of it; who asks for it at the same time gets the same bytes. */
  bytes: () => Promise<Uint8Array>
}>

/** Milliseconds of a turn of the event loop in which pieces are made. */
const turnMs = 5

/** Characters that are packed together. */
const packedAtOnce = 65_536

/**
 * Packs a text while its pieces are made. That takes a little of each turn of the event loop, so that requests are
 * answered in between; packing and unpacking are done by Node's threads. Rejects with what making throws.
 */
export async function packText(pieces: Iterable<string>): Promise<PackedText> {
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
    size: packed.byteLength,
    etag: `"${digest.digest('base64url')}"`,
    bytes: unpacking(packed),
  }
}

const unpack = promisify<Uint8Array, Uint8Array>(gunzip)

function unpacking(packed: Uint8Array): PackedText['bytes'] {
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
