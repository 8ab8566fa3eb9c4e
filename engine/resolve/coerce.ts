import { inexact, plainDecimal } from '../values/decimal.js'
import { fail } from '../errors.js'
import type { ScalarAttribute } from '../schema/attribute.js'
import type { Value } from '../values/value-test.js'
import { textTypes } from '../values/scalar-type.js'

/** Where a value was sent, for the error that refuses it. */
export type ValuePlace = Readonly<{ path: readonly string[]; param: string }>

const longMin = -(2n ** 63n)
const longMax = 2n ** 63n - 1n

/**
 * A value of a filter as the type that its attribute is stored as. Throws a 400 that says what was
 * expected and what was received; Strapi's wording where it has one.
 */
export function coerce(attribute: ScalarAttribute, text: string, place: ValuePlace): Value {
  if (textTypes.has(attribute.type)) return { as: 'text', value: text }
  switch (attribute.type) {
    case 'integer':
    case 'float':
      return { as: 'number', value: coerceNumber(text, place) }
    case 'decimal':
      return { as: 'decimal', value: coerceDecimal(text, place) }
    case 'biginteger':
      return { as: 'long', value: coerceLong(text, place) }
    case 'boolean':
      return { as: 'boolean', value: !['false', 'f', '0', ''].includes(text) }
    case 'date':
      return { as: 'text', value: coerceDate(text) }
    case 'time':
      return { as: 'text', value: coerceTime(text) }
    case 'datetime':
    case 'timestamp':
      return { as: 'date', value: coerceInstant(text) }
    default:
      throw mismatch('a value that can be compared', text, place)
  }
}

function coerceNumber(text: string, place: ValuePlace): number {
  const value = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(value)) throw mismatch('a number', text, place)
  return value
}

function coerceDecimal(text: string, place: ValuePlace): string {
  const value = plainDecimal(text)
  if (value === undefined) throw mismatch('a number', text, place)
  if (value === inexact) throw mismatch('a decimal of at most 34 digits', text, place)
  return value
}

function coerceLong(text: string, place: ValuePlace): string {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw mismatch('an integer', text, place)
  const value = BigInt(text.trim().replace(/^\+/, ''))
  if (value < longMin || value > longMax) throw mismatch('an integer of 64 bits', text, place)
  return value.toString()
}

function coerceDate(text: string): string {
  const date = /^(\d{4}-\d{2}-\d{2})(?:T.*)?$/.exec(text)?.[1]
  if (date === undefined || !isRealDate(date)) {
    throw fail('validation', { message: 'Invalid format, expected yyyy-MM-dd' })
  }
  return date
}

function coerceTime(text: string): string {
  const match = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,3}))?$/.exec(text)
  if (match === null) {
    throw fail('validation', { message: 'Invalid time format, expected HH:mm:ss.SSS' })
  }
  return `${text.slice(0, 8)}.${(match[1] ?? '').padEnd(3, '0')}`
}

function coerceInstant(text: string): number {
  const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
  const value = /^-?\d+$/.test(text)
    ? Number(text)
    : iso.test(text) && isRealDate(text.slice(0, 10))
      ? Date.parse(text)
      : NaN
  if (Number.isNaN(new Date(value).getTime())) {
    throw fail('validation', { message: 'Invalid format, expected a timestamp or an ISO date' })
  }
  return value
}

/** Refuses the 31st of February, which `Date` would turn into a day of March. */
function isRealDate(date: string): boolean {
  const instant = new Date(`${date}T00:00:00.000Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date)
}

function mismatch(expected: string, received: string, { path, param }: ValuePlace): Error {
  const at = path.join('.')
  return fail(
    'validation',
    {
      message: `Invalid value at ${at}. Expected ${expected}, received: ${received.slice(0, 100)}`,
    },
    { path: at, expected, received: received.slice(0, 100), source: 'query', param },
  )
}
