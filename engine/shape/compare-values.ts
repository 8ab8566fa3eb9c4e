import { Decimal128 } from 'mongodb'

/** Null first, then by value; text by code point (D12), which UTF-16 units do not give. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  if (a instanceof Decimal128 || b instanceof Decimal128) return compareDecimals(a, b)
  const [left, right] = [toNumeric(a), toNumeric(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function toNumeric(value: unknown): number | bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return value instanceof Date ? value.getTime() : Number(value)
}

/** By all of their digits, of which a double would lose some. */
function compareDecimals(a: unknown, b: unknown): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  if (left === null || right === null) return Number(a) - Number(b)
  const exponent = Math.min(left.exponent, right.exponent)
  const whole = ({ digits, exponent: own }: Decimal): bigint =>
    digits * 10n ** BigInt(own - exponent)
  const difference = whole(left) - whole(right)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** `-1.25E+3` as -125 times 10 to the power of 1. */
type Decimal = Readonly<{ digits: bigint; exponent: number }>

function parseDecimal(value: unknown): Decimal | null {
  const match = /^(-?\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/i.exec(String(value))
  if (match === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
