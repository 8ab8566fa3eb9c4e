import { toBson } from './to-bson.js'
import type { Value } from './value-test.js'

/** Converts a value for `compareValues`, to the type in which the driver reads it. */
export function comparable(value: Value): unknown {
  return value.as === 'long' ? BigInt(value.value) : toBson(value)
}
