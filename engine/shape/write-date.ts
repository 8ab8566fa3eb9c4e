import type { JsonWriter } from './json-writer.js'

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
