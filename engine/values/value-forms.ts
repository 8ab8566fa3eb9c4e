import { isoTime, parseDate, parseDateTime, parseTime } from './parse-dates.js'
import { parseFlag } from './parse-flag.js'
import { parseDecimal, parseLong, parseNumber } from './parse-numbers.js'
import type { Reading } from './reading.js'
import { misread } from './reading.js'
import type { ScalarType } from './scalar-type.js'

/** How values of one type are parsed, stored and sent in responses. */
export type ValueForm = Readonly<{
  /**
   * Parses a default, or a value in a body or a filter, without the attribute's own rules, such as `min`. Absent for
   * types that are neither parsed nor compared, such as JSON.
   */
  parse?: ((value: unknown) => Reading) | undefined
  /**
   * Whether the value may be a `default`, `min` or `max` in a definition. `integer` and `float` require JSON numbers;
   * `biginteger` and `decimal` also accept strings.
   */
  isDefault: (value: unknown) => boolean
  expected: string
  /** How stored values are read and written to JSON. */
  stored: StoredForm
  /** JSON schema in responses; `given` is for bodies and `sought` for filters, if different. */
  shown: JsonSchema
  given?: JsonSchema
  sought?: JsonSchema
  filter: string
  /** TypeScript type in responses; `givenType` is for bodies, if different. */
  type: string
  givenType?: string
}>

export type StoredForm =
  'text' | 'number' | 'boolean' | 'date' | 'long' | 'decimal' | 'json' | 'blocks'

type JsonSchema = Readonly<Record<string, unknown>>

const isText = (value: unknown): value is string => typeof value === 'string'

const asRead = (parse: (value: unknown) => Reading) => ({
  parse,
  isDefault: (value: unknown) => parse(value).as !== 'nothing',
})

const string = { type: 'string' }
const dateTime = { type: 'string', format: 'date-time' }
const time = { type: 'string', pattern: isoTime.source }

const text: ValueForm = {
  parse: (value) => (isText(value) ? { as: 'text', value } : misread('text')),
  isDefault: isText,
  expected: 'text',
  stored: 'text',
  shown: string,
  filter: 'TextFilter',
  type: 'string',
}
const moment: ValueForm = {
  ...asRead(parseDateTime),
  expected: 'a date and time in ISO form',
  stored: 'date',
  shown: dateTime,
  given: { anyOf: [dateTime, { type: 'integer', description: 'Milliseconds since 1970' }] },
  filter: 'DateTimeFilter',
  type: 'string',
  givenType: 'string | number | Date',
}
const json: ValueForm = {
  isDefault: () => true,
  expected: 'any JSON value',
  stored: 'json',
  shown: {},
  filter: 'JsonFilter',
  type: 'Values.JsonValue',
  // `unknown` accepts objects of the client's own types.
  givenType: 'unknown',
}
const list: ValueForm = {
  ...json,
  isDefault: Array.isArray,
  expected: 'a list',
  shown: { type: 'array' },
  type: 'Values.JsonValue[]',
  givenType: 'readonly unknown[]',
}

/** How each type is parsed and shown, also for the OpenAPI document and the TypeScript types. */
export const valueForms: Readonly<Record<ScalarType, ValueForm>> = {
  string: text,
  text,
  richtext: text,
  enumeration: text,
  email: text,
  uid: text,
  password: { ...text, parse: undefined },
  date: {
    ...asRead(parseDate),
    expected: 'a date (yyyy-MM-dd)',
    stored: 'text',
    shown: { type: 'string', format: 'date' },
    filter: 'DateFilter',
    type: 'string',
    givenType: 'string | Date',
  },
  time: {
    ...asRead(parseTime),
    expected: 'a time (HH:mm:ss)',
    stored: 'text',
    shown: { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$' },
    given: time,
    sought: time,
    filter: 'TimeFilter',
    type: 'string',
  },
  datetime: moment,
  timestamp: moment,
  integer: {
    parse: parseNumber,
    isDefault: Number.isSafeInteger,
    expected: 'a whole number',
    stored: 'number',
    shown: { type: 'integer' },
    filter: 'IntegerFilter',
    type: 'number',
  },
  float: {
    parse: parseNumber,
    isDefault: Number.isFinite,
    expected: 'a number',
    stored: 'number',
    shown: { type: 'number' },
    filter: 'NumberFilter',
    type: 'number',
  },
  // A string, because a JSON number is exact only up to 2^53 (docs/internals/decisions.md, "Strict values").
  biginteger: {
    parse: parseLong,
    isDefault: (value) =>
      Number.isSafeInteger(value) || (isText(value) && parseLong(value).as === 'long'),
    expected: 'a whole number',
    stored: 'long',
    shown: { type: 'string', pattern: '^-?\\d+$' },
    given: { anyOf: [{ type: 'string', pattern: '^-?\\d+$' }, { type: 'integer' }] },
    sought: { type: 'string', pattern: '^-?\\d{1,18}$' },
    filter: 'BigIntegerFilter',
    type: 'string',
    givenType: 'number | string',
  },
  // Bodies may also contain strings, because a double holds only about half of the 34 digits.
  decimal: {
    ...asRead(parseDecimal),
    expected: 'a number of at most 34 digits',
    stored: 'decimal',
    shown: { type: 'number' },
    given: {
      anyOf: [
        { type: 'number' },
        { type: 'string', pattern: '^[-+]?\\d*\\.?\\d+([eE][-+]?\\d+)?$' },
      ],
    },
    filter: 'NumberFilter',
    type: 'number',
    givenType: 'number | string',
  },
  boolean: {
    parse: (value) => ({ as: 'boolean', value: isText(value) ? parseFlag(value) : value === true }),
    isDefault: (value) => typeof value === 'boolean',
    expected: 'true or false',
    stored: 'boolean',
    shown: { type: 'boolean' },
    // As in Strapi, `true` and `false` may be strings, in any case.
    given: {
      anyOf: [
        { type: 'boolean' },
        { enum: [0, 1] },
        { type: 'string', pattern: '^(?:[01]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$' },
      ],
    },
    filter: 'BooleanFilter',
    type: 'boolean',
  },
  json,
  array: list,
  blocks: {
    ...list,
    stored: 'blocks',
    shown: { type: 'array', items: { type: 'object' } },
    type: 'Values.Blocks',
    givenType: 'Values.Blocks',
  },
}
