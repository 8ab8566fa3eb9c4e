import type { Reading } from './reading.js'
import { misread } from './reading.js'

const isoTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?$/
/** Day, hours and minutes, seconds, their fraction, zone. */
const isoDateTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i
/** Not as few digits as a year, a month or a day in ISO's basic form has (`2024`, `20240115`). */
const milliseconds = /^-?(?:\d{1,3}|\d{5}|\d{9,16})$/

/** `2024-01-15`, also from an ISO datetime, of which it is the day that is written there. */
export function parseDate(value: unknown): Reading {
  const day = typeof value === 'string' ? isoDateTime.exec(value)?.[1] : undefined
  if (day === undefined) return misread(aDate, 'Invalid format, expected yyyy-MM-dd')
  return isDay(day) ? { as: 'text', value: day } : misread(aDate, 'Invalid date')
}

/** `10:30:00.125`; milliseconds may be left out. */
export function parseTime(value: unknown): Reading {
  if (typeof value !== 'string') return misread(aTime, `Expected a string, got a ${typeof value}`)
  if (!isoTime.test(value)) return misread(aTime, 'Invalid time format, expected HH:mm:ss.SSS')
  const [time = '', fraction = ''] = value.split('.')
  return { as: 'text', value: `${time}.${fraction.padEnd(3, '0')}` }
}

/**
 * An ISO date or datetime, or milliseconds since 1970 as a number or its digits. Without a zone it is
 * UTC, on whatever machine; what is shorter than a millisecond is cut off.
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
  const [, day = '', minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] =
    isoDateTime.exec(value) ?? []
  if (!isDay(day)) return NaN
  // ECMAScript defines this one form; what others mean is each engine's own, and the machine's zone in it.
  const time = `${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  return Date.parse(`${day}T${time}${zone.toUpperCase().replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`)
}

/** JavaScript reads the 31st of February as the 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day
}

const aDate = 'a date (yyyy-MM-dd)'
const aTime = 'a time (HH:mm:ss)'
const aMoment = 'a date and time in ISO form'
