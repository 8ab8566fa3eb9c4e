import { BSON, Decimal128 } from 'mongodb'
import { offsetAfterName, bsonType, byteAt, endOfText, sizeOfValue } from '../stored/stored-bson.js'
import type { JsonWriter } from './json-writer.js'

/** Writes the stored value of a `json` or `blocks` attribute. */
export function writeJson(writer: JsonWriter, type: number, bytes: Buffer, at: number): void {
  switch (type) {
    case bsonType.text:
      return writer.string(bytes, at + 4, endOfText(bytes, at))
    case bsonType.document:
      return writeMembers(writer, bytes, at, true)
    case bsonType.array:
      return writeMembers(writer, bytes, at, false)
    case bsonType.boolean:
      return writer.ascii(bytes[at] === 1 ? 'true' : 'false')
    case bsonType.int:
    case bsonType.double:
      return writer.ascii(numberOf(type, bytes, at) ?? 'null')
    case bsonType.null:
      return writer.ascii('null')
    default:
      return writeForeign(writer, type, bytes, at)
  }
}

/** Returns a number in decimal notation; null for `Infinity`, `NaN` and values of other types. */
export function numberOf(type: number, bytes: Buffer, at: number): string | null {
  switch (type) {
    case bsonType.int:
      return String(bytes.readInt32LE(at))
    case bsonType.double: {
      const number = bytes.readDoubleLE(at)
      return Number.isFinite(number) ? String(number) : null
    }
    case bsonType.long:
      return String(bytes.readBigInt64LE(at))
    case bsonType.decimal: {
      // Decimal128's `1E+3` is valid JSON, too.
      const text = new Decimal128(bytes.subarray(at, at + 16)).toString()
      return /^-?\d/.test(text) ? text : null
    }
    default:
      return null
  }
}

/** Writes the stored value at `at`, whose name begins at `nameAt`. */
export type WriteMember = (
  writer: JsonWriter,
  type: number,
  bytes: Buffer,
  at: number,
  nameAt: number,
) => void

/** Writes a stored document (if `named`) or list, and calls `write` for each member. */
export function writeMembers(
  writer: JsonWriter,
  bytes: Buffer,
  start: number,
  named: boolean,
  write: WriteMember = writeJson,
): void {
  writer.ascii(named ? '{' : '[')
  let at = start + 4
  for (let type = byteAt(bytes, at); type !== 0; type = byteAt(bytes, at)) {
    const value = offsetAfterName(bytes, at + 1)
    if (at > start + 4) writer.ascii(',')
    if (named) {
      writer.string(bytes, at + 1, value - 1)
      writer.ascii(':')
    }
    write(writer, type, bytes, value, at + 1)
    at = value + sizeOfValue(type, bytes, value)
  }
  writer.ascii(named ? '}' : ']')
}

/**
 * Writes a value of a BSON type that only other programs than Quire store in a `json` attribute. The result is that of
 * `JSON.stringify`.
 */
function writeForeign(writer: JsonWriter, type: number, bytes: Buffer, at: number): void {
  const size = sizeOfValue(type, bytes, at)
  // A BSON document with one field, whose name is empty: length, type, end of the name, value, end of the document.
  const document = Buffer.alloc(4 + 2 + size + 1)
  document.writeInt32LE(document.length)
  document.writeUInt8(type, 4)
  bytes.copy(document, 6, at, at + size)
  const value: unknown = BSON.deserialize(document, { useBigInt64: true })['']
  const json = JSON.stringify(value, plain) as string | undefined
  writer.utf8(json ?? 'null')
}

/**
 * Converts bigint values, because 64-bit integers are deserialized as bigint, which `JSON.stringify` does not accept.
 */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
