import type { ScalarAttribute } from '../../engine/schema/attribute.js'
import { isoTime } from '../../engine/values/parse-dates.js'
import type { ScalarType } from '../../engine/values/scalar-type.js'
import type { JsonSchema } from '../http/documented.js'

export const idSchema: JsonSchema = { type: 'integer' }
export const documentIdSchema: JsonSchema = { type: 'string' }

const text: JsonSchema = { type: 'string' }
const wholeNumber = '^-?\\d+$'
const date: JsonSchema = { type: 'string', format: 'date' }
const moment: JsonSchema = { type: 'string', format: 'date-time' }

/** A value as answers show it. */
const shown: Readonly<Record<ScalarType, JsonSchema>> = {
  string: text,
  text,
  richtext: text,
  enumeration: text,
  email: text,
  uid: text,
  password: text,
  date,
  time: { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$' },
  datetime: moment,
  timestamp: moment,
  integer: { type: 'integer' },
  // Text, because clients would lose the digits of a number beyond 2^53 (docs/decisions.md, "Strict values").
  biginteger: { type: 'string', pattern: wholeNumber },
  float: { type: 'number' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  json: {},
  array: { type: 'array' },
  blocks: { type: 'array', items: { type: 'object' } },
}

/** A scalar as answers show it; whatever it is, it may be null. */
export const shownSchema = ({ type, enum: values }: ScalarAttribute): JsonSchema =>
  type === 'enumeration' ? { enum: [...values, null] } : orNull(shown[type])

/** What texts and numbers a body may hold for a type, beside null. */
const taken: Readonly<Record<ScalarType, JsonSchema>> = {
  ...shown,
  // Texts in upper and in lower case, as in Strapi.
  boolean: {
    anyOf: [
      { type: 'boolean' },
      { enum: [0, 1] },
      { type: 'string', pattern: '^(?:[01]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$' },
    ],
  },
  // As of any ISO text, the day; as of any ISO moment, or of milliseconds since 1970.
  date: { ...date },
  time: { type: 'string', pattern: isoTime.source },
  datetime: { anyOf: [moment, { type: 'integer', description: 'Milliseconds since 1970' }] },
  timestamp: { anyOf: [moment, { type: 'integer', description: 'Milliseconds since 1970' }] },
  biginteger: { anyOf: [{ type: 'string', pattern: wholeNumber }, { type: 'integer' }] },
  decimal: {
    anyOf: [{ type: 'number' }, { type: 'string', pattern: '^[-+]?\\d*\\.?\\d+([eE][-+]?\\d+)?$' }],
  },
}

/** A scalar as bodies bring it for a published entry. */
export function takenSchema(attribute: ScalarAttribute): JsonSchema {
  const { type, required, default: fallback } = attribute
  const schema =
    type === 'enumeration' ? { enum: attribute.enum } : { ...taken[type], ...rulesOf(attribute) }
  const own = fallback === undefined || typeof fallback === 'function' ? {} : { default: fallback }
  return {
    ...(required ? schema : orNull(schema)),
    ...own,
    ...(type === 'password' ? { writeOnly: true } : {}),
  }
}

function rulesOf(attribute: ScalarAttribute): JsonSchema {
  const { type, minLength, maxLength, regex, min, max } = attribute
  if (type === 'integer' || type === 'float')
    return {
      ...(min === undefined ? {} : { minimum: Number(min) }),
      ...(max === undefined ? {} : { maximum: Number(max) }),
    }
  if (shown[type] !== text) return {}
  const longest = maxLength ?? (type === 'string' ? 255 : undefined)
  return {
    ...(minLength === undefined ? {} : { minLength }),
    ...(longest === undefined ? {} : { maxLength: longest }),
    ...(type === 'email' ? { format: 'email' } : {}),
    ...(type === 'uid' ? { pattern: '^[A-Za-z0-9\\-_.~]*$' } : {}),
    ...(regex !== undefined && isPattern(regex) ? { pattern: regex } : {}),
  }
}

/** Patterns of JSON schema have the flag `u`, with which some of those without flags are none. */
function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== ''
  } catch {
    return false
  }
}

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values, ...rest } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  if (Array.isArray(values)) return { ...schema, enum: [...(values as unknown[]), null] }
  if (Array.isArray(anyOf))
    return { ...rest, anyOf: [...(anyOf as JsonSchema[]), { type: 'null' }] }
  return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema
}
