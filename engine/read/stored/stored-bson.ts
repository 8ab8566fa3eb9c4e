/** The types of BSON values that are read in place (https://bsonspec.org/spec.html). */
export const bsonType = {
  double: 0x01,
  text: 0x02,
  document: 0x03,
  array: 0x04,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  int: 0x10,
  long: 0x12,
  decimal: 0x13,
} as const

/** Returns a byte. `at` must be within the document. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] as number
}

/** Returns the offset after the name at `at` and its zero byte. */
export function offsetAfterName(bytes: Uint8Array, at: number): number {
  let end = at
  while (byteAt(bytes, end) !== 0) end++
  return end + 1
}

/** Returns the size of a value in bytes. Throws for an unknown type. */
export function sizeOfValue(type: number, bytes: Buffer, at: number): number {
  switch (type) {
    case 0x02: // text
    case 0x0d: // code
    case 0x0e: // symbol
      return 4 + bytes.readInt32LE(at)
    case 0x03: // document
    case 0x04: // array
    case 0x0f: // code with a scope
      return bytes.readInt32LE(at)
    case 0x10: // int
      return 4
    case 0x01: // double
    case 0x09: // date
    case 0x11: // timestamp
    case 0x12: // long
      return 8
    case 0x08: // boolean
      return 1
    case 0x06: // undefined
    case 0x0a: // null
    case 0x7f: // MaxKey
    case 0xff: // MinKey
      return 0
    case 0x05: // binary
      return 5 + bytes.readInt32LE(at)
    case 0x07: // object id
      return 12
    case 0x0b: // regular expression
      return offsetAfterName(bytes, offsetAfterName(bytes, at)) - at
    case 0x0c: // DBPointer
      return 16 + bytes.readInt32LE(at)
    case 0x13: // decimal
      return 16
    default:
      throw new Error(`A stored document has a value of the unknown type ${type}`)
  }
}

/** Reads a string whose length is stored at `at`. */
export function readText(bytes: Buffer, at: number): string {
  return bytes.toString('utf8', at + 4, endOfText(bytes, at))
}

/** Returns the offset of the final zero byte of the string whose length is stored at `at`. */
export function endOfText(bytes: Buffer, at: number): number {
  return at + 3 + bytes.readInt32LE(at)
}

/** Reads a 64-bit integer. Beyond 2^53, its last digits are lost. */
export function readLong(bytes: Buffer, at: number): number {
  return bytes.readInt32LE(at + 4) * 0x1_0000_0000 + bytes.readUInt32LE(at)
}
