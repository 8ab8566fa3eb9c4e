import type { ScalarAttribute } from '../../engine/schema/attribute.js'
import { valueForms } from '../../engine/values/value-forms.js'
import type { JsonSchema } from '../http/documented.js'
import { nothing } from '../http/routes/json-schemas.js'

/** Returns the schema of a scalar attribute in responses, where the value may always be null. */
export const shownSchema = ({ type, enum: values }: ScalarAttribute): JsonSchema =>
  type === 'enumeration' ? { enum: [...values, null] } : orNull(valueForms[type].shown)

/** Returns the schema of a scalar attribute in a write that publishes. */
export function takenSchema(attribute: ScalarAttribute): JsonSchema {
  const { type, required, default: fallback } = attribute
  const { shown, given = shown } = valueForms[type]
  const schema =
    type === 'enumeration' ? { enum: attribute.enum } : { ...given, ...rulesOf(attribute) }
  return {
    ...(required ? schema : orNull(schema)),
    default: typeof fallback === 'function' ? undefined : fallback,
    writeOnly: type === 'password' ? true : undefined,
  }
}

function rulesOf(attribute: ScalarAttribute): JsonSchema {
  const { type, minLength, maxLength, regex, min, max } = attribute
  if (type === 'integer' || type === 'float')
    return { minimum: numberOf(min), maximum: numberOf(max) }
  if (valueForms[type].filter !== 'TextFilter') return {}
  return {
    minLength,
    maxLength: maxLength ?? (type === 'string' ? 255 : undefined),
    format: type === 'email' ? type : undefined,
    pattern: regex !== undefined && isPattern(regex) ? regex : usualPatterns[type],
  }
}

const usualPatterns: Readonly<Record<string, string>> = { uid: '^[A-Za-z0-9\\-_.~]*$' }

const numberOf = (bound: number | string | undefined): number | undefined =>
  bound === undefined ? undefined : Number(bound)

/** Returns whether a regular expression is valid with the flag `u`, as JSON schema requires. */
function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== ''
  } catch {
    return false
  }
}

/** Returns a schema that also allows null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values, ...rest } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  if (Array.isArray(values)) return { ...schema, enum: [...(values as unknown[]), null] }
  if (Array.isArray(anyOf)) return { ...rest, anyOf: [...(anyOf as JsonSchema[]), nothing] }
  return '$ref' in schema ? { anyOf: [schema, nothing] } : schema
}
