import { Decimal128, Long } from 'mongodb'
import type { Value } from './value-test.js'

/** Converts a value to its stored BSON type. */
export function toBson(value: Value): string | number | boolean | Date | Long | Decimal128 {
  switch (value.as) {
    case 'text':
    case 'number':
    case 'boolean':
      return value.value
    case 'date':
      return new Date(value.value)
    case 'long':
      return Long.fromString(value.value)
    case 'decimal':
      return Decimal128.fromString(value.value)
  }
}
