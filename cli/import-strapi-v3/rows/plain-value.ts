import { Binary, Decimal128, ObjectId, Timestamp } from 'mongodb'

/**
 * Converts a MongoDB value to JSON. It must be read with `useBigInt64`. Integers that a number cannot represent exactly
 * become strings, dates become ISO strings, and values without a JSON form become null.
 */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value === null || typeof value !== 'object') return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof Decimal128) return value.toString()
  if (value instanceof Timestamp || value instanceof Binary) return null
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainValue(one)]))
}
