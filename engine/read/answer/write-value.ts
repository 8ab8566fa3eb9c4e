import { BSON, Decimal128 } from 'mongodb'
import type { FieldForm } from '../plan/read-plan.js'
import {
  behindName,
  bsonType,
  byteAt,
  endOfText,
  readLong,
  sizeOfValue,
} from '../run/stored-bson.js'
import type { Stored } from '../run/stored-document.js'
import { typeAt, offsetAt } from '../run/stored-fields.js'
import type { JsonWriter } from './json-writer.js'

/** A stored scalar as JSON. What is not stored, or is no value of its form, is null. */
export function writeField(
  writer: JsonWriter,
  form: FieldForm,
  stored: Stored,
  slot: number,
): void {
  const type = typeAt(stored, slot)
  if (type === bsonType.null) return writer.ascii('null')
  const { bytes } = stored
  const at = offsetAt(stored, slot)
  switch (form) {
    case 'text':
      if (type === bsonType.text) writer.string(bytes, at + 4, endOfText(bytes, at))
      else writer.ascii('null')
      return
    case 'boolean':
      if (type !== bsonType.boolean) return writer.ascii('null')
      return writer.ascii(bytes[at] === 1 ? 'true' : 'false')
    case 'date':
      return type === bsonType.date ? writeDate(writer, readLong(bytes, at)) : writer.ascii('null')
    case 'number':
    case 'decimal':
      return writer.ascii(numberOf(type, bytes, at) ?? 'null')
    // A string, because clients would lose the digits of a number beyond 2^53 (docs/decisions.md, "Strict
    // values").
    case 'long': {
      const digits = numberOf(type, bytes, at)
      return writer.ascii(digits === null ? 'null' : `"${digits}"`)
    }
    case 'json':
      return writeAny(writer, type, bytes, at)
  }
}

/** The digits of a number; null for `Infinity`, `NaN` and what is no number. */
function numberOf(type: number, bytes: Buffer, at: number): string | null {
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
      // `1E+3`, which Decimal128 prints, is a number of JSON too.
      const text = new Decimal128(bytes.subarray(at, at + 16)).toString()
      return /^-?\d/.test(text) ? text : null
    }
    default:
      return null
  }
}

/** What is stored in a `json` or in blocks, whose shape is the client's. */
function writeAny(writer: JsonWriter, type: number, bytes: Buffer, at: number): void {
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

function writeMembers(writer: JsonWriter, bytes: Buffer, start: number, named: boolean): void {
  writer.ascii(named ? '{' : '[')
  let at = start + 4
  for (let type = byteAt(bytes, at); type !== 0; type = byteAt(bytes, at)) {
    const value = behindName(bytes, at + 1)
    if (at > start + 4) writer.ascii(',')
    if (named) {
      writer.string(bytes, at + 1, value - 1)
      writer.ascii(':')
    }
    writeAny(writer, type, bytes, value)
    at = value + sizeOfValue(type, bytes, value)
  }
  writer.ascii(named ? '}' : ']')
}

/** Types that only other programs store in a `json`: written as JavaScript writes them. */
function writeForeign(writer: JsonWriter, type: number, bytes: Buffer, at: number): void {
  const size = sizeOfValue(type, bytes, at)
  // A document whose only field has an empty name: its length, the type, the name's end, the value, the end.
  const document = Buffer.alloc(4 + 2 + size + 1)
  document.writeInt32LE(document.length)
  document.writeUInt8(type, 4)
  bytes.copy(document, 6, at, at + size)
  const value: unknown = BSON.deserialize(document, { useBigInt64: true })['']
  const json = JSON.stringify(value, plain) as string | undefined
  writer.utf8(json ?? 'null')
}

/** Whole numbers beyond 32 bits come back as bigint. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

const dayMs = 86_400_000
/** Days from 0000-03-01 to 1970-01-01: counted from a March, a leap day is the last of its year. */
const daysBefore1970 = 719_468
const daysIn400Years = 146_097

/** The dates whose years `toISOString` writes with four digits. */
const [first, last] = [Date.parse('0001-01-01'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * Milliseconds since 1970 as `Date.toISOString` writes them, quoted; null beyond what a `Date` can hold.
 * An entry has three dates or more, and `toISOString` was a tenth of the time of a deep populate.
 */
export function writeDate(writer: JsonWriter, ms: number): void {
  if (!(ms >= first && ms <= last)) return writer.ascii(JSON.stringify(new Date(ms)))
  const day = Math.floor(ms / dayMs)
  writer.ascii('"')
  writeDay(writer, day)
  writer.ascii('T')
  writeTime(writer, ms - day * dayMs)
  writer.ascii('Z"')
}

/** A day of the Gregorian calendar, counted from 1970-01-01 (ISO 8601), in whole years of 400, 100, 4 and 1. */
function writeDay(writer: JsonWriter, day: number): void {
  const days = day + daysBefore1970
  const era = Math.floor(days / daysIn400Years)
  const ofEra = days - era * daysIn400Years
  const year = Math.floor(
    (ofEra -
      Math.floor(ofEra / 1460) +
      Math.floor(ofEra / 36_524) -
      Math.floor(ofEra / (daysIn400Years - 1))) /
      365,
  )
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  // From March on, five months have 153 days, again and again.
  const month = Math.floor((5 * ofYear + 2) / 153)
  const isNextYear = month >= 10
  writer.digits(era * 400 + year + (isNextYear ? 1 : 0), 4)
  writer.ascii('-')
  writer.digits(isNextYear ? month - 9 : month + 3, 2)
  writer.ascii('-')
  writer.digits(ofYear - Math.floor((153 * month + 2) / 5) + 1, 2)
}

function writeTime(writer: JsonWriter, ms: number): void {
  writer.digits(Math.floor(ms / 3_600_000), 2)
  writer.ascii(':')
  writer.digits(Math.floor(ms / 60_000) % 60, 2)
  writer.ascii(':')
  writer.digits(Math.floor(ms / 1000) % 60, 2)
  writer.ascii('.')
  writer.digits(ms % 1000, 3)
}
