import { headerBytes, maxMessageBytes } from './wire.js'

/** An impossible message length. The connection's further messages cannot be read. */
export class FramingError extends Error {}

/**
 * Splits a connection's bytes into messages. Joins chunks only when a message is complete: 48 MB arrive in about 730
 * chunks, and joining each time would be quadratic.
 */
export class MessageReader {
  #chunks: Buffer[] = []
  #buffered = 0

  /** Bytes received, but not yet returned by `take`. */
  get buffered(): number {
    return this.#buffered
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#buffered += chunk.length
  }

  /** Returns the next complete message; undefined if there is none yet. */
  take(): Buffer | undefined {
    if (this.#buffered < headerBytes) return undefined
    if (this.#first.length < 4) this.#join()
    const length = this.#first.readInt32LE(0)
    if (length < headerBytes || length > maxMessageBytes) {
      throw new FramingError(`a message of ${length} bytes (allowed are ${maxMessageBytes})`)
    }
    if (this.#buffered < length) return undefined
    if (this.#first.length < length) this.#join()
    const message = this.#first.subarray(0, length)
    const rest = this.#first.subarray(length)
    if (rest.length > 0) this.#chunks[0] = rest
    else this.#chunks.shift()
    this.#buffered -= length
    return message
  }

  get #first(): Buffer {
    return this.#chunks[0] ?? Buffer.alloc(0)
  }

  #join(): void {
    this.#chunks = [Buffer.concat(this.#chunks)]
  }
}
