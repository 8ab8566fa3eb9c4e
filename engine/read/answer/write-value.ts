import type { FieldForm, LinkPlan } from '../plan/read-plan.js'
import { bsonType, endOfText, readLong } from '../run/stored-bson.js'
import type { Stored } from '../run/stored-document.js'
import { typeAt, offsetAt } from '../run/stored-fields.js'
import type { JsonWriter } from './json-writer.js'
import { numberOf, writeJson } from './write-json.js'
import { writeLinks, type LinkedForm } from './write-links.js'

type Writing = Readonly<{ writer: JsonWriter; plan: Readonly<{ links?: LinkPlan | undefined }> }>

/** Writes a stored scalar as JSON: null if nothing is stored, or if the stored value has another type. */
export function writeField(
  { writer, plan: { links } }: Writing,
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
      return writeJson(writer, type, bytes, at)
    case 'link':
      if (type !== bsonType.text) return writer.ascii('null')
      return writeLinked(writer, form, links, type, bytes, at)
    case 'versions':
    case 'blocks':
      return writeLinked(writer, form, links, type, bytes, at)
  }
}

function writeLinked(
  writer: JsonWriter,
  form: LinkedForm,
  links: LinkPlan | undefined,
  type: number,
  bytes: Buffer,
  at: number,
): void {
  if (links === undefined) return writeJson(writer, type, bytes, at)
  return writeLinks(writer, form, links, type, bytes, at)
}

const dayMs = 86_400_000
/** Days from 0000-03-01 to 1970-01-01. If years begin in March, a leap day is the last of its year. */
const daysBefore1970 = 719_468
const daysIn400Years = 146_097

/** The first and the last date that `toISOString` writes with a year of four digits. */
const [first, last] = [Date.parse('0001-01-01'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * Writes milliseconds since 1970 as `Date.toISOString` does, quoted; null beyond the range of a `Date`. An entry has at
 * least three dates, and `toISOString` took a tenth of the time of a deep populate.
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

/**
 * Writes a day of the Gregorian calendar (ISO 8601), which is given as days since 1970-01-01. It is split into periods
 * of 400, 100, 4 and 1 years.
 */
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
  // From March on, every five months have 153 days.
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
