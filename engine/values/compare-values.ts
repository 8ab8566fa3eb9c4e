import { Decimal128 } from 'mongodb'
import { compareDecimals } from './decimal.js'

/**
 * Null first, then by value; text by code point (docs/decisions.md, "Comparing and sorting"), which UTF-16
 * units do not give.
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

/** The digits of a number, a bigint or a Decimal128, which all print themselves. */
const textOf = (value: unknown): string => (value as { toString: () => string }).toString()

/** A date becomes its milliseconds. */
const toNumeric = (value: unknown): number | bigint =>
  typeof value === 'bigint' ? value : Number(value)
