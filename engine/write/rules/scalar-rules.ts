import { boolean, mixed, string, number } from 'yup'
import { emailAddress, emailRule } from '../../values/email-address.js'
import { maxLengthOf, type ScalarAttribute } from '../../schema/attribute.js'
import { valueForms } from '../../values/value-forms.js'
import { defaultOf } from '../../schema/default-of.js'
import { blocksRule } from './block-rules.js'
import { withPattern } from './patterns.js'
import { type Rule, type RuleMode, withPresence } from './required.js'
import { StoredSecret } from '../body/passwords.js'
import { asNumber, compareDecimals, inexact, plainDecimal } from '../../values/decimal.js'
import { parseLong, parseNumber } from '../../values/parse-numbers.js'

export const uidPattern = /^[A-Za-z0-9-_.~]*$/

/** The rule for a scalar attribute (docs/internals/strapi-behaviour.md, "Bodies"). */
export function scalarRule(attribute: ScalarAttribute, mode: RuleMode): Rule {
  const rule = withPresence(typeRule(attribute, mode), attribute, mode)
  return mode.absent !== 'keep' && attribute.default !== undefined
    ? (rule.default(() => defaultOf(attribute)) as Rule)
    : rule
}

function typeRule(attribute: ScalarAttribute, mode: RuleMode): Rule {
  const full = mode.rules === 'full'
  switch (attribute.type) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'biginteger':
      return numericRule(attribute, full)
    case 'boolean':
      return boolean().transform(keepLists)
    case 'enumeration':
      // Strapi's error message also lists `null` as the last allowed value.
      return string()
        .nullable()
        .oneOf([...attribute.enum, null])
    case 'email':
      return full
        ? textRule(attribute, full)
            .matches(emailAddress, emailRule)
            .min(1, '${path} cannot be empty')
        : textRule(attribute, full)
    case 'uid':
      return full ? textRule(attribute, full).matches(uidPattern) : textRule(attribute, full)
    case 'password':
      return passwordRule(attribute, full)
    case 'string':
    case 'text':
    case 'richtext':
      return textRule(attribute, full)
    case 'blocks':
      return blocksRule()
    case 'array':
      return mixedRule('array').test({
        name: 'array',
        message: '${path} must be a `array` type',
        skipAbsent: true,
        test: Array.isArray,
      })
    case 'json':
      return mixedRule('json')
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return dateRule(attribute)
  }
}

/** The rule for the dates and times that can be stored (`store-scalar.ts`). */
const dateRule = ({ type }: ScalarAttribute): Rule =>
  mixedRule('date').test({
    name: 'form',
    skipAbsent: true,
    test: (value: unknown, { createError }) => {
      const reading = valueForms[type].parse?.(value)
      if (reading?.as !== 'nothing') return true
      const { expected, message = `\${path} must be ${expected}` } = reading
      return createError({ message, params: { expected } })
    },
  })

/** Accepts anything except null and undefined. `type` only appears in the error message for null. */
const mixedRule = (type: string) => mixed({ type, check: isAnything })

const isAnything = (value: unknown): value is NonNullable<unknown> =>
  value !== undefined && value !== null

/** Unlike yup's own rule, does not convert numbers to strings. */
function textRule(attribute: ScalarAttribute, full: boolean) {
  const { minLength, pattern, required } = attribute
  let rule = string().transform((_value: unknown, original: unknown) => original)
  const longest = maxLengthOf(attribute)
  if (longest < Infinity) rule = rule.max(longest)
  if (!full) return rule
  if (minLength !== undefined) rule = rule.min(minLength)
  return pattern === undefined ? rule : withPattern(rule, pattern, !required)
}

/** The rule for passwords. A stored password (`StoredSecret`) always passes, because only its hash is known. */
function passwordRule(attribute: ScalarAttribute, full: boolean): Rule {
  const rule = textRule(attribute, full)
  return mixedRule('string').test('password', (value: unknown, context) => {
    const { context: outer = {} } = context.options
    if (value === null || value === undefined || value instanceof StoredSecret) return true
    try {
      rule.label(context.path).validateSync(value, { context: outer })
      return true
    } catch (error) {
      return context.createError({ message: (error as Error).message })
    }
  })
}

/** @param full whether to check `min` and `max` */
function numericRule(attribute: ScalarAttribute, full: boolean): Rule {
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
function keepLists(value: unknown, original: unknown): unknown {
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
