import { plainDecimal } from '../values/decimal.js'
import type { ScalarType } from '../values/scalar-type.js'

type Check = Readonly<{ expected: string; accepts: (value: unknown) => boolean }>

const isText = (value: unknown): value is string => typeof value === 'string'
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value)
const isMoment = (value: unknown) =>
  (isText(value) || typeof value === 'number') && !Number.isNaN(new Date(value).getTime())

/** Text, because JSON numbers are exact to 2^53 only; storage has 64 bits. */
const isLong = (value: unknown) =>
  isText(value) && /^-?\d{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value)

/** Text, because a double holds half of the digits that storage has. */
const isDecimal = (value: unknown) => isText(value) && typeof plainDecimal(value) === 'string'

const text: Check = { expected: 'text', accepts: isText }
const number: Check = { expected: 'a number', accepts: Number.isFinite }
const list: Check = { expected: 'a list', accepts: Array.isArray }
const moment: Check = { expected: 'a date and time in ISO form', accepts: isMoment }

const checks: Readonly<Record<ScalarType, Check>> = {
  string: text,
  text,
  richtext: text,
  enumeration: text,
  email: text,
  password: text,
  uid: text,
  date: { expected: 'a date (yyyy-MM-dd)', accepts: matches(/^\d{4}-\d{2}-\d{2}$/) },
  time: {
    expected: 'a time (HH:mm:ss)',
    accepts: matches(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/),
  },
  datetime: moment,
  timestamp: moment,
  integer: { expected: 'a whole number', accepts: Number.isSafeInteger },
  biginteger: {
    expected: 'a whole number',
    accepts: (value) => Number.isSafeInteger(value) || isLong(value),
  },
  float: number,
  decimal: {
    expected: 'a number of at most 34 digits',
    accepts: (value) => Number.isFinite(value) || isDecimal(value),
  },
  boolean: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  json: { expected: 'any JSON value', accepts: () => true },
  array: list,
  blocks: list,
}

/** What a default of this type must be, if `value` is not; undefined where it is fine. */
export function defaultFault(type: ScalarType, value: unknown): string | undefined {
  const check = checks[type]
  return check.accepts(value) ? undefined : `must be ${check.expected}`
}
