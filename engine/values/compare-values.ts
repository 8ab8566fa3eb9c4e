import { Decimal128 } from 'mongodb'
import { compareDecimals } from './decimal.js'
import { toBson } from './to-bson.js'
import type { Value } from './value-test.js'

/**
 * Compares two stored values of the same attribute, for sorting. Null comes first. Text is ordered by code point, not
 * by UTF-16 unit (docs/internals/decisions.md, "Comparing and sorting").
 */
export function compareValues(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  if (a instanceof Decimal128 || b instanceof Decimal128) {
    return compareDecimals(textOf(a), textOf(b))
  }
  const [left, right] = [toNumeric(a), toNumeric(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

const textOf = (value: unknown): string => (value as { toString: () => string }).toString()

/** Dates become milliseconds since 1970; a bigint stays exact. */
const toNumeric = (value: unknown): number | bigint =>
  typeof value === 'bigint' ? value : Number(value)

/** Converts a `Value` to the type that the MongoDB driver returns, for `compareValues`. */
export function comparable(value: Value): unknown {
  return value.as === 'long' ? BigInt(value.value) : toBson(value)
}
