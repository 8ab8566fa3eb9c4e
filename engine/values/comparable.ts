import { toBson } from './to-bson.js'
import type { Value } from './value-test.js'

/** A value as `compareValues` takes it: as the driver reads what is stored. */
export function comparable(value: Value): unknown {
  return value.as === 'long' ? BigInt(value.value) : toBson(value)
}
