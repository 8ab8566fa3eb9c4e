import { parseDate, parseDateTime, parseTime } from './parse-dates.js'
import { parseFlag } from './parse-flag.js'
import { parseDecimal, parseLong, parseNumber } from './parse-numbers.js'
import type { Reading } from './reading.js'
import { misread } from './reading.js'
import type { ScalarType } from './scalar-type.js'

/** What a value of one type may be, wherever it comes from. */
export type ValueForm = Readonly<{
  /**
   * What a value of a body, a text of a filter or a default means. Which of the values that it can mean
   * an attribute takes is a matter of its rules. Absent: there is nothing that it could be compared with.
   */
  parse?: (value: unknown) => Reading
  /** What a definition may hold as `default`, `min` or `max`: JSON of its own kind, so that numbers are no texts. */
  isDefault: (value: unknown) => boolean
  /** The same in words. */
  expected: string
}>

const isText = (value: unknown): value is string => typeof value === 'string'

/** Whatever it may be read from in a body. */
const asRead = (parse: (value: unknown) => Reading) => ({
  parse,
  isDefault: (value: unknown) => parse(value).as !== 'nothing',
})

const text: ValueForm = {
  parse: (value) => (isText(value) ? { as: 'text', value } : misread('text')),
  isDefault: isText,
  expected: 'text',
}
const moment: ValueForm = { ...asRead(parseDateTime), expected: 'a date and time in ISO form' }
const list: ValueForm = { isDefault: Array.isArray, expected: 'a list' }

/** One row a type: definitions, bodies and filters read values by it and by nothing else. */
export const valueForms: Readonly<Record<ScalarType, ValueForm>> = {
  string: text,
  text,
  richtext: text,
  enumeration: text,
  email: text,
  uid: text,
  password: { isDefault: isText, expected: 'text' },
  date: { ...asRead(parseDate), expected: 'a date (yyyy-MM-dd)' },
  time: { ...asRead(parseTime), expected: 'a time (HH:mm:ss)' },
  datetime: moment,
  timestamp: moment,
  integer: { parse: parseNumber, isDefault: Number.isSafeInteger, expected: 'a whole number' },
  float: { parse: parseNumber, isDefault: Number.isFinite, expected: 'a number' },
  // Text too, because JSON numbers are exact to 2^53 only; storage has 64 bits.
  biginteger: {
    parse: parseLong,
    isDefault: (value) =>
      Number.isSafeInteger(value) || (isText(value) && parseLong(value).as === 'long'),
    expected: 'a whole number',
  },
  // Text too, because a double holds half of the digits that storage has.
  decimal: { ...asRead(parseDecimal), expected: 'a number of at most 34 digits' },
  boolean: {
    parse: (value) => ({ as: 'boolean', value: isText(value) ? parseFlag(value) : value === true }),
    isDefault: (value) => typeof value === 'boolean',
    expected: 'true or false',
  },
  json: { isDefault: () => true, expected: 'any JSON value' },
  array: list,
  blocks: list,
}
