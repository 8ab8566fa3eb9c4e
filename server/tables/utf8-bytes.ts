import { isUtf8 } from 'node:buffer'
import { fail } from '../../engine/errors.js'

const newLine = 0x0a

/**
 * The bytes of a file as they come, where they are text in UTF-8. What is none would be kept as U+FFFD, and nobody
 * would know what it was: spreadsheets write other encodings, too.
 * @throws ApiError 400 that names the first line which is none
 */
export async function* utf8Bytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let lines = 0
  /** A character that was cut in two. */
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    const whole = bytes.subarray(0, wholeCharacters(bytes))
    if (!isUtf8(whole)) throw notUtf8(lines + wrongLine(whole))
    lines += linesOf(whole).length - 1
    rest = bytes.subarray(whole.length)
    if (whole.length > 0) yield whole
  }
  if (rest.length > 0) throw notUtf8(lines + 1)
}

const notUtf8 = (line: number): Error =>
  fail('validation', { message: `The file is not UTF-8 (line ${line}): save it as UTF-8` })

/** How many of the bytes are characters that are all there. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    const isContinued = (byte & 0xc0) === 0x80
    if (isContinued) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const wrongLine = (bytes: Buffer): number => linesOf(bytes).findIndex((line) => !isUtf8(line)) + 1

/** Without their ends; what follows the last end is one, too. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  let from = 0
  for (let end = bytes.indexOf(newLine); end >= 0; end = bytes.indexOf(newLine, from)) {
    lines.push(bytes.subarray(from, end))
    from = end + 1
  }
  return [...lines, bytes.subarray(from)]
}
