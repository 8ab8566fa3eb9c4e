const quote = 0x22
const backslash = 0x5c

/**
 * The letters of control characters with a short escape in JSON, such as `\b`. Other control characters become
 * `\u00xx`.
 */
const shortEscapes = new Map([
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
])

const initialSize = 64 * 1024
/** Maximum size of a buffer that is reused for the next response, in bytes. */
const maxKeptSize = 2 * 1024 * 1024

/**
 * Writes JSON as UTF-8 bytes into one growing buffer. It can copy bytes that are already in the buffer, and copies
 * strings that are stored as UTF-8 without decoding them.
 */
export class JsonWriter {
  private bytes = Buffer.allocUnsafeSlow(initialSize)
  private end = 0
  /** Number of bytes that can be written before the buffer is full or the limit of the response is reached. */
  private capacity = initialSize
  private maxBytes = Infinity
  private tooLarge: () => Error = () => new Error('The response is too large')

  /** Number of written bytes. */
  get length(): number {
    return this.end
  }

  /** Begins a new response. Writing more than `maxBytes` throws the error that `tooLarge` creates. */
  begin(maxBytes: number, tooLarge: () => Error): void {
    this.end = 0
    this.maxBytes = maxBytes
    this.tooLarge = tooLarge
    this.capacity = Math.min(this.bytes.length, maxBytes)
  }

  /** Discards the content, and also the buffer if it is large. */
  clear(): void {
    this.end = 0
    if (this.bytes.length > maxKeptSize) this.bytes = Buffer.allocUnsafeSlow(initialSize)
  }

  /** Returns a copy of the written bytes. */
  take(): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, this.end))
  }

  /** Writes an ASCII string without escaping it. */
  ascii(text: string): void {
    this.reserve(text.length)
    for (let index = 0; index < text.length; index++) {
      this.bytes[this.end++] = text.charCodeAt(index)
    }
  }

  /** Writes any string without escaping it. */
  utf8(text: string): void {
    this.reserve(Buffer.byteLength(text))
    this.end += this.bytes.write(text, this.end)
  }

  /** Writes bytes unchanged. */
  raw(source: Uint8Array): void {
    this.reserve(source.length)
    this.bytes.set(source, this.end)
    this.end += source.length
  }

  /** Appends a copy of the written bytes between two positions. */
  again(from: number, to: number): void {
    this.reserve(to - from)
    this.bytes.copyWithin(this.end, from, to)
    this.end += to - from
  }

  /** Writes a JSON string from its UTF-8 bytes between `from` and `to`. */
  string(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from + 2)
    let { bytes, end } = this
    bytes[end++] = quote
    for (let at = from; at < to; at++) {
      const byte = source[at] as number
      if (byte >= 0x20 && byte !== quote && byte !== backslash) {
        bytes[end++] = byte
      } else {
        this.end = end
        this.escape(byte, to - at)
        ;({ bytes, end } = this)
      }
    }
    bytes[end++] = quote
    this.end = end
  }

  /**
   * Writes an escaped character.
   * @param left remaining bytes of the string, including its closing quote
   */
  private escape(byte: number, left: number): void {
    this.reserve(left + 6)
    const letter =
      byte === quote || byte === backslash ? String.fromCharCode(byte) : shortEscapes.get(byte)
    this.ascii(letter === undefined ? `\\u${byte.toString(16).padStart(4, '0')}` : `\\${letter}`)
  }

  private reserve(more: number): void {
    const needed = this.end + more
    if (needed <= this.capacity) return
    if (needed > this.maxBytes) throw this.tooLarge()
    const grown = Buffer.allocUnsafeSlow(
      Math.min(Math.max(needed, this.bytes.length * 2), this.maxBytes),
    )
    grown.set(this.bytes.subarray(0, this.end))
    this.bytes = grown
    this.capacity = Math.min(grown.length, this.maxBytes)
  }
}
