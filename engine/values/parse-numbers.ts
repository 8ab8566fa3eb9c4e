import { inexact, plainDecimal } from './decimal.js'
import type { Reading } from './reading.js'
import { misread } from './reading.js'

const wholeNumber = /^[+-]?\d+$/
const least = -(2n ** 63n)
const greatest = 2n ** 63n - 1n
/** Digits of the smallest and the largest 64-bit integer. */
const longDigits = 19

/** Parses a number, or a string that `Number()` accepts, as a double. */
export function parseNumber(value: unknown): Reading {
  const number =
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
      ? Number(value)
      : NaN
  return Number.isFinite(number) ? { as: 'number', value: number } : misread('a number')
}

/** Parses a decimal without losing digits. */
export function parseDecimal(value: unknown): Reading {
  const plain =
    typeof value === 'number' || typeof value === 'string' ? plainDecimal(String(value)) : undefined
  if (plain === undefined) return misread('a number')
  if (plain === inexact) return misread('a decimal of at most 34 digits')
  return { as: 'decimal', value: plain }
}

/** Parses a 64-bit integer from a number or from digits. */
export function parseLong(value: unknown): Reading {
  // Use the digits that JavaScript prints: `BigInt(9007199254740994000)` would be a different number.
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (!wholeNumber.test(text)) return misread('an integer')
  const short = text.replace(/^\+?(-?)0+(?=\d)/, '$1')
  const number = short.length > longDigits + 1 ? greatest + 1n : BigInt(short)
  if (number < least || number > greatest) return misread('an integer of 64 bits')
  return { as: 'long', value: number.toString() }
}
