import type { JsonSchema } from '../http/documented.js'

/** An object of these members and no others; of them the `required` ones are always there. */
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
