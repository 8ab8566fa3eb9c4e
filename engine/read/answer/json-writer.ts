const quote = 0x22
const backslash = 0x5c

/** Control characters for which JSON has a short escape such as `\b`. Others become `\u00xx`. */
const shortEscapes = new Map([
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
])

const initialSize = 64 * 1024
/** Maximum size in bytes of a buffer that is reused. */
const maxKeptSize = 2 * 1024 * 1024

/** Writes JSON into one growing buffer. Copies stored UTF-8 strings without decoding them. */
export class JsonWriter {
  private bytes = Buffer.allocUnsafeSlow(initialSize)
  private end = 0
  /** Number of bytes that can be written before the buffer is full or the response exceeds its limit. */
  private capacity = initialSize
  private maxBytes = Infinity
  private tooLarge: () => Error = () => new Error('The response is too large')

  get length(): number {
    return this.end
  }

  /** Begins a response of at most `maxBytes`; a larger one throws the error of `tooLarge`. */
  begin(maxBytes: number, tooLarge: () => Error): void {
    this.end = 0
    this.maxBytes = maxBytes
    this.tooLarge = tooLarge
    this.capacity = Math.min(this.bytes.length, maxBytes)
  }

  /** Discards the content, and replaces a large buffer by a small one. */
  clear(): void {
    this.end = 0
    if (this.bytes.length > maxKeptSize) this.bytes = Buffer.allocUnsafeSlow(initialSize)
  }

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

  utf8(text: string): void {
    this.reserve(Buffer.byteLength(text))
    this.end += this.bytes.write(text, this.end)
  }

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

  /** @param left remaining bytes of the string, including its closing quote */
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
