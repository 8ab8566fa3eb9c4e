import type { JsonSchema } from '../http/documented.js'

/** Schema of an object whose only members are `properties`. Those in `required` are always present. */
export const closedObject = (
  properties: Readonly<Record<string, JsonSchema | undefined>>,
  required?: readonly string[],
): JsonSchema => ({
  type: 'object',
  ...(required && { required }),
  properties,
  additionalProperties: false,
})

export const count: JsonSchema = { type: 'integer', minimum: 0 }
