import type { JsonSchema, JsonSchemas } from '../documented.js'

export const nothing: JsonSchema = { type: 'null' }
export const text: JsonSchema = { type: 'string' }
export const textOrNull: JsonSchema = { type: ['string', 'null'] }
export const whole: JsonSchema = { type: 'integer' }
export const wholeOrNull: JsonSchema = { type: ['integer', 'null'] }
export const flag: JsonSchema = { type: 'boolean' }
export const trueOrFalse: JsonSchema = { type: 'string', enum: ['true', 'false'] }
export const fromOne: JsonSchema = { type: 'integer', minimum: 1 }
export const object: JsonSchema = { type: 'object' }
export const moment: JsonSchema = { type: 'string', format: 'date-time' }
export const momentOrNull: JsonSchema = { type: ['string', 'null'], format: 'date-time' }

export const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties,
})

export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** Returns the schema of an object with exactly these members, all required except those in `optional`. */
export function members(all: JsonSchemas, optional: JsonSchemas = {}): JsonSchema {
  const required = Object.keys(all)
  return {
    type: 'object',
    properties: { ...all, ...optional },
    required: required.length === 0 ? undefined : required,
    additionalProperties: false,
  }
}

/** Returns the schema of `{ data: … }`. */
export const inData = (data: JsonSchema): JsonSchema => members({ data })
