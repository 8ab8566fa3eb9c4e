import { mixed, number } from 'yup'
import { asNumber, compareDecimals, inexact, plainDecimal } from '../../values/decimal.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import { parseLong, parseNumber } from '../../values/parse-numbers.js'
import type { Rule } from './required.js'

/** @param full whether to check `min` and `max` */
export function numericRule(attribute: ScalarAttribute, full: boolean): Rule {
  switch (attribute.type) {
    case 'integer':
      return rangeRule(safeInteger(), attribute, full)
    case 'biginteger':
      return bigIntegerRule(attribute, full)
    case 'decimal':
      return decimalRule(attribute, full)
    default:
      return rangeRule(numberRule(), attribute, full)
  }
}

function numberRule() {
  return number().transform((_value: unknown, original: unknown) => castNumber(original))
}

/** Returns NaN if the value is no number. yup's error message then shows the original value. */
function castNumber(value: unknown): unknown {
  if (value === null || Array.isArray(value)) return value
  const reading = parseNumber(value)
  return reading.as === 'number' ? reading.value : NaN
}

/** Without this, yup would read `[1]` as 1 and `["true"]` as true. */
export function keepLists(value: unknown, original: unknown): unknown {
  return Array.isArray(original) ? original : value
}

/** The rule for integers up to 2^53 − 1, beyond which a double cannot distinguish neighbours. */
function safeInteger() {
  const bound = Number.MAX_SAFE_INTEGER
  return numberRule()
    .integer()
    .test('safe', `\${path} must be between -${bound} and ${bound}`, (value) => {
      return value === null || value === undefined || Math.abs(value) <= bound
    })
}

function rangeRule(rule: ReturnType<typeof numberRule>, attribute: ScalarAttribute, full: boolean) {
  if (!full) return rule
  const { min, max } = attribute
  const above = min === undefined ? rule : rule.min(Number(min))
  return max === undefined ? above : above.max(Number(max))
}

/** The rule for decimals, which error messages call numbers. The result is a string if a double would lose digits. */
function decimalRule(attribute: ScalarAttribute, full: boolean): Rule {
  const rule = mixed({ type: 'number', check: isDecimal })
    .transform((_value: unknown, original: unknown) => castDecimal(original))
    .test({
      name: 'digits',
      message: '${path} must have at most 34 digits',
      skipAbsent: true,
      test: (value) => plainDecimal(String(value)) !== inexact,
    })
  return full ? withBounds(rule, attribute, decimalOf) : rule
}

const isDecimal = (value: unknown): value is number | string =>
  typeof value === 'string' || Number.isFinite(value)

function castDecimal(value: unknown): unknown {
  if (value === null || value === undefined || Array.isArray(value)) return value
  if (typeof value !== 'number' && typeof value !== 'string') return NaN
  const plain = plainDecimal(String(value))
  if (plain === undefined) return NaN
  return plain === inexact ? value : asNumber(plain)
}

function decimalOf(value: unknown): string | undefined {
  const plain = isDecimal(value) ? plainDecimal(String(value)) : undefined
  return plain === inexact ? undefined : plain
}

function bigIntegerRule(attribute: ScalarAttribute, full: boolean): Rule {
  const rule = mixed({ type: 'number', check: isThere }).test({
    name: 'biginteger',
    message: '${path} must be a valid integer',
    skipAbsent: true,
    test: (value) => longOf(value) !== undefined,
  })
  return full ? withBounds(rule, attribute, longOf) : rule
}

const isThere = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined && value !== null

function longOf(value: unknown): string | undefined {
  const reading = parseLong(value)
  return reading.as === 'long' ? reading.value : undefined
}

function withBounds(
  rule: Rule,
  { min, max }: ScalarAttribute,
  digitsOf: (value: unknown) => string | undefined,
): Rule {
  return rule
    .test('min', `\${path} must be greater than or equal to ${min}`, (value) => {
      return distance(digitsOf(value), min) >= 0
    })
    .test('max', `\${path} must be less than or equal to ${max}`, (value) => {
      return distance(digitsOf(value), max) <= 0
    })
}

/**
 * Compares a value with `min` or `max`. Returns a negative number, 0 or a positive number, like the function for
 * `sort`; 0 if one of them is undefined.
 * @param digits the value in decimal notation; undefined if another test rejects it
 */
function distance(digits: string | undefined, bound: number | string | undefined): number {
  return digits === undefined || bound === undefined ? 0 : compareDecimals(digits, String(bound))
}

/** Whether `decimalRule` would leave a value unchanged. */
export const isPlainDecimal = (value: unknown, attribute: ScalarAttribute, full: boolean) =>
  Object.is(castDecimal(value), value) && isWithin(decimalOf(value), attribute, full)

/** Whether `bigIntegerRule` would leave a value unchanged. */
export const isPlainLong = (value: unknown, attribute: ScalarAttribute, full: boolean) =>
  isWithin(longOf(value), attribute, full)

const isWithin = (
  digits: string | undefined,
  { min, max }: ScalarAttribute,
  full: boolean,
): boolean =>
  digits !== undefined && (!full || (distance(digits, min) >= 0 && distance(digits, max) <= 0))
