import { Decimal128 } from 'mongodb'
import { compareDecimals } from './decimal.js'
import { toBson } from './to-bson.js'
import type { Value } from './value-test.js'

/**
 * Compares values. Null comes first. Text is ordered by code point (docs/decisions.md, "Comparing and sorting"), which
 * differs from the order of UTF-16 units.
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

/** Returns the digits of a number, a bigint or a Decimal128. */
const textOf = (value: unknown): string => (value as { toString: () => string }).toString()

/** Converts a date to its milliseconds. */
const toNumeric = (value: unknown): number | bigint =>
  typeof value === 'bigint' ? value : Number(value)

/** Converts a value to the type in which the driver reads it, for `compareValues`. */
export function comparable(value: Value): unknown {
  return value.as === 'long' ? BigInt(value.value) : toBson(value)
}
