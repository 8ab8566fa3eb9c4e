import { Decimal128 } from 'mongodb'
import type { Value } from './value-test.js'

/** A value as `compareValues` takes it: as the driver reads what is stored. */
export function comparable(value: Value): unknown {
  switch (value.as) {
    case 'date':
      return new Date(value.value)
    case 'long':
      return BigInt(value.value)
    case 'decimal':
      return Decimal128.fromString(value.value)
    default:
      return value.value
  }
}
