/**
 * Reads single fields of a BSON document without decoding all of it: a reply may be 16 MB long, and the host needs only
 * its cursor id or a command's name.
 */

/** The BSON type and name of a field, and the offset of its value. */
export type Field = Readonly<{ type: number; name: string; offset: number }>

export const bsonType = { string: 2, document: 3, array: 4, bool: 8, int32: 16, int64: 18 } as const

/** Returns the first field of a document. If the document is a command, the field's name is the command's name. */
export function firstField(buffer: Buffer, documentAt: number): Field | undefined {
  return fieldAt(buffer, documentAt + 4)
}

/** Returns the field `name` of the document at `documentAt`. */
export function findField(buffer: Buffer, documentAt: number, name: string): Field | undefined {
  for (const field of fields(buffer, documentAt)) {
    if (field.name === name) return field
  }
  return undefined
}

/** Iterates the fields of a document or the elements of an array. */
export function* fields(buffer: Buffer, documentAt: number): Generator<Field> {
  let field = firstField(buffer, documentAt)
  while (field) {
    yield field
    field = fieldAt(buffer, field.offset + valueLength(buffer, field))
  }
}

/** Returns the offset of an embedded document; undefined if the field is absent or has another type. */
export function findDocument(
  buffer: Buffer,
  documentAt: number | undefined,
  name: string,
): number | undefined {
  const field = documentAt === undefined ? undefined : findField(buffer, documentAt, name)
  return field?.type === bsonType.document ? field.offset : undefined
}

/** Returns undefined for an absent field or one of another type. */
export const int64Value = (buffer: Buffer, field: Field | undefined): bigint | undefined =>
  field?.type === bsonType.int64 ? buffer.readBigInt64LE(field.offset) : undefined

/** Returns undefined for an absent field or one of another type. */
export function stringValue(buffer: Buffer, field: Field | undefined): string | undefined {
  if (field?.type !== bsonType.string) return undefined
  const length = buffer.readInt32LE(field.offset)
  return buffer.toString('utf8', field.offset + 4, field.offset + 4 + length - 1)
}

function fieldAt(buffer: Buffer, at: number): Field | undefined {
  const type = buffer.readUInt8(at)
  if (type === 0) return undefined
  const nameEnd = endOfText(buffer, at + 1)
  return { type, name: buffer.toString('utf8', at + 1, nameEnd), offset: nameEnd + 1 }
}

function valueLength(buffer: Buffer, { type, offset }: Field): number {
  switch (type) {
    case 6: // undefined
    case 10: // null
    case 127: // MaxKey
    case 255: // MinKey
      return 0
    case bsonType.bool:
      return 1
    case bsonType.int32:
      return 4
    case 1: // double
    case 9: // date
    case 17: // timestamp
    case bsonType.int64:
      return 8
    case 7: // ObjectId
      return 12
    case 19: // Decimal128
      return 16
    case bsonType.string:
    case 13: // code
    case 14: // symbol
      return 4 + lengthAt(buffer, offset)
    case 5: // binary
      return 5 + lengthAt(buffer, offset)
    case 12: // DBPointer
      return 16 + lengthAt(buffer, offset)
    case bsonType.document:
    case bsonType.array:
    case 15: // code with scope
      return lengthAt(buffer, offset)
    case 11: // regular expression: two strings
      return endOfText(buffer, endOfText(buffer, offset) + 1) + 1 - offset
    default:
      throw new RangeError(`unknown BSON type ${type}`)
  }
}

function lengthAt(buffer: Buffer, at: number): number {
  const length = buffer.readInt32LE(at)
  if (length < 0) throw new RangeError('a BSON value has a negative length')
  return length
}

function endOfText(buffer: Buffer, from: number): number {
  const end = buffer.indexOf(0, from)
  if (end < 0) throw new RangeError('a BSON text has no end')
  return end
}
