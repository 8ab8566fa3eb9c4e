import { fail } from '../errors.js'

const isoTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?$/
const isoDateTime =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i
const zone = /(?:Z|[+-]\d{2}:?\d{2})$/i
/** Not as few digits as a year, a month or a day in ISO's basic form has (`2024`, `20240115`). */
const milliseconds = /^-?(?:\d{1,3}|\d{5}|\d{9,16})$/

/** `2024-01-15`, also from an ISO datetime. Throws 400 with Strapi's words. */
export function parseDate(value: unknown): string {
  if (typeof value !== 'string' || !isoDateTime.test(value))
    throw refused('Invalid format, expected yyyy-MM-dd')
  const day = value.slice(0, 10)
  if (!isDay(day)) throw refused('Invalid date')
  return day
}

/** JavaScript reads the 31st of February as the 2nd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day
}

/** `10:30:00.125`; milliseconds may be left out. */
export function parseTime(value: unknown): string {
  if (typeof value !== 'string') throw refused(`Expected a string, got a ${typeof value}`)
  if (!isoTime.test(value)) throw refused('Invalid time format, expected HH:mm:ss.SSS')
  const [time = '', fraction = ''] = value.split('.')
  return `${time}.${fraction.padEnd(3, '0')}`
}

/** An ISO date or datetime, or milliseconds since 1970; without a zone it is UTC. */
export function parseDateTime(value: unknown): Date {
  const date = dateOf(value)
  if (Number.isNaN(date.getTime()))
    throw refused('Invalid format, expected a timestamp or an ISO date')
  return date
}

function dateOf(value: unknown): Date {
  if (value instanceof Date) return value
  if (typeof value === 'number') return new Date(value)
  if (typeof value !== 'string') return new Date(NaN)
  if (milliseconds.test(value)) return new Date(Number(value))
  if (!isoDateTime.test(value) || !isDay(value.slice(0, 10))) return new Date(NaN)
  return new Date(value.includes(':') && !zone.test(value) ? `${value}Z` : value)
}

function refused(message: string): Error {
  return fail('validation', { message })
}
