import { headerBytes, maxMessageBytes } from './wire.js'

/** Thrown for an impossible message length. No further message can be read from the connection. */
export class FramingError extends Error {}

/**
 * Splits the bytes of a connection into messages. The chunks of a message are joined once, when it is complete. Joining
 * at every chunk would be quadratic (48 MB arrive in about 730 chunks).
 */
export class MessageReader {
  #chunks: Buffer[] = []
  #buffered = 0

  /** Number of bytes that were received but not yet returned by `take`. */
  get buffered(): number {
    return this.#buffered
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#buffered += chunk.length
  }

  /** Removes and returns the next complete message; undefined if none is complete yet. */
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
