import type { Schema, SchemaDescription, SchemaFieldDescription } from 'yup'
import type { JsonSchema } from '../http/documented.js'

/**
 * Converts a yup schema to a JSON schema, without rules that JSON schema cannot express (custom tests, equality of two
 * values). So the JSON schema may accept more than yup, but never less.
 */
export function yupSchema(schema: Schema): JsonSchema {
  return toJson(schema.describe())
}

function toJson(field: SchemaFieldDescription): JsonSchema {
  if (!('tests' in field)) return {}
  const { nullable, oneOf, type } = field
  const values = oneOf.filter((value) => value === null || typeof value !== 'object')
  if (values.length > 0)
    return { enum: nullable && !values.includes(null) ? [...values, null] : values }
  const { type: name, ...rest } = typeSchemas[type]?.(field) ?? {}
  return { type: nullable && name !== undefined ? [name, 'null'] : name, ...rest }
}

type Parameters = Readonly<{ min?: number; max?: number; regex?: RegExp }>

/** Returns the limits that a schema's tests set: the largest minimum and the smallest maximum. */
function bounds({ tests }: SchemaDescription, least: string, most: string, from?: number) {
  const of = (test: 'min' | 'max'): readonly number[] =>
    tests.flatMap(({ name, params }) =>
      name === test ? ((params as Parameters | undefined)?.[test] ?? []) : [],
    )
  const [min, max] = [of('min'), of('max')]
  return {
    [least]: min.length === 0 ? from : Math.max(...min),
    [most]: max.length === 0 ? undefined : Math.min(...max),
  }
}

function patternsOf(field: SchemaDescription): JsonSchema {
  // Omit patterns with other flags: JSON schema has no flags, and implies `u`.
  const patterns = field.tests.flatMap(({ params }) => {
    const { regex } = (params ?? {}) as Parameters
    return regex?.flags.replace('u', '') === '' ? regex.source : []
  })
  if (patterns.length < 2) return { pattern: patterns[0] }
  return { allOf: patterns.map((pattern) => ({ pattern })) }
}

const isRequired = (field: SchemaFieldDescription): boolean =>
  'optional' in field && !field.optional

const typeSchemas: Readonly<Record<string, (field: SchemaDescription) => JsonSchema>> = {
  string: (field) => {
    // In yup, a required string must not be empty.
    const least = field.tests.some(({ name }) => name === 'required') ? 1 : undefined
    return {
      type: 'string',
      ...bounds(field, 'minLength', 'maxLength', least),
      ...patternsOf(field),
    }
  },
  number: (field) => ({
    type: field.tests.some(({ name }) => name === 'integer') ? 'integer' : 'number',
    ...bounds(field, 'minimum', 'maximum'),
  }),
  boolean: () => ({ type: 'boolean' }),
  array: (field) => {
    const { innerType } = field as { innerType?: SchemaFieldDescription }
    return {
      type: 'array',
      items: innerType && toJson(innerType),
      ...bounds(field, 'minItems', 'maxItems'),
    }
  },
  object: (field) => {
    const { fields } = field as { fields?: Record<string, SchemaFieldDescription> }
    const members = Object.entries(fields ?? {})
    const required = members.flatMap(([name, member]) => (isRequired(member) ? name : []))
    return {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, member]) => [name, toJson(member)])),
      required: required.length === 0 ? undefined : required,
    }
  },
}
