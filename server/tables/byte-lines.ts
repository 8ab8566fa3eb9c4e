const newLine = 0x0a

/**
 * Yields non-empty lines with their numbers from 1. Unlike later versions of `node:readline`, does not split at U+2028
 * and U+2029, which JSON may contain.
 * @param maxBytes maximum length of a line
 * @param refuse creates the error for a longer line
 */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  refuse: (line: number) => Error,
) {
  let pieces: Uint8Array[] = []
  let length = 0
  let number = 0
  const take = () => {
    const text = Buffer.concat(pieces).toString('utf8')
    pieces = []
    length = 0
    number += 1
    return text.trim() === '' ? undefined : { text, number }
  }
  const add = (piece: Uint8Array) => {
    length += piece.byteLength
    if (length > maxBytes) throw refuse(number + 1)
    pieces.push(piece)
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, from)) {
      add(chunk.subarray(from, end))
      from = end + 1
      const line = take()
      if (line !== undefined) yield line
    }
    add(chunk.subarray(from))
  }
  const last = take()
  if (last !== undefined) yield last
}
