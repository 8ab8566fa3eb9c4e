const quote = 0x22
const backslash = 0x5c
const zero = 0x30

/** The letters after the backslash where JSON has some; other control characters are `\u00xx`. */
const shortEscapes = new Map([
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
])

const initialSize = 64 * 1024
/** A buffer that grew beyond this is not kept for the next answer. */
const maxKeptSize = 2 * 1024 * 1024

/**
 * JSON as UTF-8 bytes in one growing buffer. What is written once can be copied within it, and text that
 * is stored as UTF-8 goes from buffer to buffer without becoming a string.
 */
export class JsonWriter {
  private bytes = Buffer.allocUnsafeSlow(initialSize)
  private end = 0
  /** Where the buffer ends, or before it the bound of the answer. */
  private room = initialSize
  private maxBytes = Infinity
  private tooLarge: () => Error = () => new Error('The answer is too large')

  /** Bytes written. */
  get length(): number {
    return this.end
  }

  /** Begins a new answer, of at most so many bytes; beyond them what `tooLarge` makes is thrown. */
  begin(maxBytes: number, tooLarge: () => Error): void {
    this.end = 0
    this.maxBytes = maxBytes
    this.tooLarge = tooLarge
    this.room = Math.min(this.bytes.length, maxBytes)
  }

  /** Lets go of what was written: a large buffer is not kept until the next answer. */
  clear(): void {
    this.end = 0
    if (this.bytes.length > maxKeptSize) this.bytes = Buffer.allocUnsafeSlow(initialSize)
  }

  /** A copy of what was written, in memory of its own. */
  take(): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, this.end))
  }

  /** Text of ASCII characters, as it is. */
  ascii(text: string): void {
    this.reserve(text.length)
    for (let index = 0; index < text.length; index++) {
      this.bytes[this.end++] = text.charCodeAt(index)
    }
  }

  /** The last `places` decimal digits of a whole number. */
  digits(number: number, places: number): void {
    this.reserve(places)
    let rest = number
    for (let at = this.end + places - 1; at >= this.end; at--) {
      this.bytes[at] = zero + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    this.end += places
  }

  /** Any text, as it is. */
  utf8(text: string): void {
    this.reserve(Buffer.byteLength(text))
    this.end += this.bytes.write(text, this.end)
  }

  /** Bytes as they are. */
  raw(source: Uint8Array): void {
    this.reserve(source.length)
    this.bytes.set(source, this.end)
    this.end += source.length
  }

  /** What was written from one place to another, once more. */
  again(from: number, to: number): void {
    this.reserve(to - from)
    this.bytes.copyWithin(this.end, from, to)
    this.end += to - from
  }

  /** A string whose UTF-8 bytes are those from `from` to `to`. */
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

  /** `left`: bytes of the string from here on, its closing quote among them. */
  private escape(byte: number, left: number): void {
    this.reserve(left + 6)
    const letter =
      byte === quote || byte === backslash ? String.fromCharCode(byte) : shortEscapes.get(byte)
    this.ascii(letter === undefined ? `\\u${byte.toString(16).padStart(4, '0')}` : `\\${letter}`)
  }

  private reserve(more: number): void {
    const needed = this.end + more
    if (needed <= this.room) return
    if (needed > this.maxBytes) throw this.tooLarge()
    const grown = Buffer.allocUnsafeSlow(
      Math.min(Math.max(needed, this.bytes.length * 2), this.maxBytes),
    )
    grown.set(this.bytes.subarray(0, this.end))
    this.bytes = grown
    this.room = Math.min(grown.length, this.maxBytes)
  }
}
