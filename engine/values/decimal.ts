/**
 * Decimals are handled as strings, because Decimal128 has 34 digits, but a double only 15. The plain form of a number
 * has no leading or trailing zeros (`12.5`, `1000`, `-0.01`), and an exponent only if it is very large or small
 * (`1E+300`, `1E-7`).
 */
const notation = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i

const maxDigits = 34
const leastExponent = -6176
const greatestMagnitude = 6144

/** Returned in place of a number that Decimal128 would have to round. */
export const inexact = Symbol('inexact')

type Parts = Readonly<{ sign: string; digits: string; exponent: number }>

/** Returns the plain form of a decimal number; `undefined` for another string, `inexact` if Decimal128 would round. */
export function plainDecimal(text: string): string | typeof inexact | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  const { sign, digits, exponent } = parts
  if (digits === '') return '0'
  const magnitude = digits.length - 1 + exponent
  if (digits.length > maxDigits || exponent < leastExponent || magnitude > greatestMagnitude) {
    return inexact
  }
  return sign + write(digits, exponent, magnitude)
}

/** Converts a number in plain form to a JavaScript number, unless that would lose digits. */
export function asNumber(plain: string): number | string {
  const number = Number(plain)
  return plainDecimal(String(number)) === plain ? number : plain
}

/** Compares two numbers in decimal notation, for sorting. */
export function compareDecimals(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  if (left === undefined || right === undefined) return Number(a) - Number(b)
  const exponent = Math.min(left.exponent, right.exponent)
  const difference = scale(left, exponent) - scale(right, exponent)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function scale({ sign, digits, exponent }: Parts, to: number): bigint {
  return BigInt(`${sign}${digits === '' ? '0' : digits}`) * 10n ** BigInt(exponent - to)
}

/** Splits a number into its sign, digits and exponent: `-012.50` becomes `-`, `125` and -1. Zero has no digits. */
function partsOf(text: string): Parts | undefined {
  const match = notation.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.slice(0, endOfLast(digits))
  if (significant === '') return { sign: '', digits: '', exponent: 0 }
  return {
    sign: sign === '-' ? '-' : '',
    digits: significant,
    exponent: Number(exponent) - fraction.length + digits.length - significant.length,
  }
}

/** Returns where the trailing zeros begin. `/0+$/` would start a new match at every inner zero. */
function endOfLast(digits: string): number {
  let end = digits.length
  while (end > 0 && digits.charAt(end - 1) === '0') end -= 1
  return end
}

function write(digits: string, exponent: number, magnitude: number): string {
  if (exponent >= 0 && magnitude < maxDigits) return digits + '0'.repeat(exponent)
  if (exponent < 0 && magnitude >= 0) {
    return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`
  }
  if (exponent < 0 && magnitude >= -6) return `0.${'0'.repeat(-magnitude - 1)}${digits}`
  const fraction = digits.length === 1 ? '' : `.${digits.slice(1)}`
  return `${digits.slice(0, 1)}${fraction}E${magnitude < 0 ? '' : '+'}${magnitude}`
}
