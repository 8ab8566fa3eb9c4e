import type { Reading } from './reading.js'
import { misread } from './reading.js'

/** Such as `10:30:00` or `10:30:00.125`. */
export const isoTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?$/
/** Groups: date, `hours:minutes`, seconds, fraction of a second, time zone. */
const isoDateTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i
/**
 * Groups: year, hyphen, month, day; or year and day of the year. Matches `2024`, `2024-01`, `202401`, `2024-01-15`,
 * `20240115`, and the fifteenth day as `2024-015` or `2024015`.
 */
const isoDate = /^(\d{4})(?:(-?)(\d{2})(?:\2(\d{2}))?|-?(\d{3}))?$/
/** Milliseconds since 1970. 4, 6, 7 or 8 digits are always read as an ISO date, even if no such date exists. */
const milliseconds = /^-?(?:\d{1,3}|\d{5}|\d{9,16})$/

/** Parses `2024-01-15`, or the date in an ISO datetime as written, without conversion to UTC. */
export function parseDate(value: unknown): Reading {
  const day = typeof value === 'string' ? isoDateTime.exec(value)?.[1] : undefined
  if (day === undefined) return misread(aDate, 'Invalid format, expected yyyy-MM-dd')
  return isDay(day) ? { as: 'text', value: day } : misread(aDate, 'Invalid date')
}

/** Parses `10:30:00` or `10:30:00.125`. */
export function parseTime(value: unknown): Reading {
  if (typeof value !== 'string') return misread(aTime, `Expected a string, got a ${typeof value}`)
  if (!isoTime.test(value)) return misread(aTime, 'Invalid time format, expected HH:mm:ss.SSS')
  const [time = '', fraction = ''] = value.split('.')
  return { as: 'text', value: `${time}.${fraction.padEnd(3, '0')}` }
}

/**
 * Parses an ISO date or datetime, or milliseconds since 1970. Digits that form an ISO date, such as `2024`, are read as
 * its first moment. A datetime without a zone is in UTC (docs/internals/decisions.md, "Date-times without a zone").
 * Digits beyond milliseconds are cut off.
 */
export function parseDateTime(value: unknown): Reading {
  const instant = new Date(instantOf(value)).getTime()
  return Number.isNaN(instant)
    ? misread(aMoment, 'Invalid format, expected a timestamp or an ISO date')
    : { as: 'date', value: instant }
}

function instantOf(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return NaN
  if (milliseconds.test(value)) return Number(value)
  const date = isoDate.exec(value)
  if (date !== null) return startOf(date)
  const [, day = '', minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] =
    isoDateTime.exec(value) ?? []
  if (!isDay(day)) return NaN
  // ECMAScript specifies only this format. Others depend on the JavaScript engine and the machine's time zone.
  const time = `${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  return Date.parse(`${day}T${time}${zone.toUpperCase().replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`)
}

/** Returns the first moment of a date, or NaN if the date does not exist. */
function startOf([, year = '', , month = '01', day = '01', dayOfYear]: RegExpExecArray): number {
  if (dayOfYear === undefined) {
    const text = `${year}-${month}-${day}`
    return isDay(text) ? Date.parse(`${text}T00:00:00.000Z`) : NaN
  }
  const date = new Date(`${year}-01-01T00:00:00.000Z`)
  date.setUTCDate(Number(dayOfYear))
  return date.getUTCFullYear() === Number(year) ? date.getTime() : NaN
}

/** JavaScript would read February 31 as March 2 or 3. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day
}

const aDate = 'a date (yyyy-MM-dd)'
const aTime = 'a time (HH:mm:ss)'
const aMoment = 'a date and time in ISO form'
