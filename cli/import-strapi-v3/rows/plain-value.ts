import { Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb'

/**
 * Converts a MongoDB value to JSON. Integers that a number cannot represent exactly become strings, dates become ISO
 * strings, and values without a JSON form become null.
 */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return plainInteger(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value === null || typeof value !== 'object') return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof Decimal128) return value.toString()
  if (value instanceof Timestamp || value instanceof Binary) return null
  if (value instanceof Long) return plainInteger(value.toBigInt())
  if (value instanceof Double || value instanceof Int32) return value.valueOf()
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainValue(one)]))
}

function plainInteger(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
