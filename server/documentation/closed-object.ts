import type { JsonSchema } from '../http/documented.js'

/** Returns the schema of an object with only these members, of which the `required` ones are always present. */
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
