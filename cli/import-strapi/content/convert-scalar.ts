import type { ScalarAttribute } from '../../../engine/schema/attribute.js'
import { toBson } from '../../../engine/values/to-bson.js'
import { valueForms } from '../../../engine/values/value-forms.js'
import { checkJson } from '../../../engine/write/body/read-body.js'

/** What a value of an export becomes; `left`: it is none of its attribute's type, and says why. */
type ConvertedScalar = Readonly<{ value: unknown }> | Readonly<{ left: string }>

/**
 * A value of Strapi's as it is stored here (docs/storage.md, "An entry version"). What the rules of the attribute
 * would refuse is taken: it was there before they were.
 */
export function convertScalar({ type }: ScalarAttribute, value: unknown): ConvertedScalar {
  if (value === null || value === undefined) return { value: null }
  switch (type) {
    case 'boolean':
      // SQLite and MySQL have no other kind.
      return readAs(type, typeof value === 'number' ? value !== 0 : value)
    case 'integer':
    case 'float':
    case 'biginteger':
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return readAs(type, value)
    case 'json':
      return checked(value)
    case 'array':
    case 'blocks':
      return Array.isArray(value) ? checked(value) : { left: 'is no list' }
    default:
      if (typeof value === 'string') return { value }
      return typeof value === 'number' || typeof value === 'boolean'
        ? { value: String(value) }
        : { left: 'is no text' }
  }
}

function readAs(type: ScalarAttribute['type'], value: unknown): ConvertedScalar {
  const reading = valueForms[type].parse?.(value)
  return reading === undefined || reading.as === 'nothing'
    ? { left: `is not ${valueForms[type].expected}` }
    : { value: toBson(reading) }
}

function checked(value: unknown): ConvertedScalar {
  try {
    checkJson(value, '', 1)
    return { value }
  } catch (error) {
    return { left: `is JSON that cannot be kept: ${error instanceof Error ? error.message : ''}` }
  }
}
