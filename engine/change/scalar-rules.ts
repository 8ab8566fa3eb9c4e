import { boolean, mixed, number, string } from 'yup'
import type { ScalarAttribute } from '../schema/attribute.js'
import { blocksRule } from './block-rules.js'
import type { Rule, RuleMode } from './rule-mode.js'
import { withPresence } from './rule-mode.js'
import { StoredSecret } from './stored-secret.js'

/** Texts that are kept in one line of a form. */
const defaultMaxLength = 255
const uidPattern = /^[A-Za-z0-9-_.~]*$/
const wholeNumber = /^[+-]?\d{1,30}$/
const least = -(2n ** 63n)
const greatest = 2n ** 63n - 1n

/** What a value of a scalar attribute must be (`strapi-facts.md`, section 10). */
export function scalarRule(attribute: ScalarAttribute, mode: RuleMode): Rule {
  const rule = withPresence(typeRule(attribute, mode), attribute, mode)
  return mode.absent === 'new' && attribute.default !== undefined
    ? (rule.default(() => structuredClone(attribute.default)) as Rule)
    : rule
}

function typeRule(attribute: ScalarAttribute, mode: RuleMode): Rule {
  const full = mode.rules === 'full'
  switch (attribute.type) {
    case 'integer':
      return rangeRule(numberRule().integer(), attribute, full)
    case 'float':
    case 'decimal':
      return rangeRule(numberRule(), attribute, full)
    case 'biginteger':
      return bigIntegerRule(attribute, full)
    case 'boolean':
      return boolean().transform(keepLists)
    case 'enumeration':
      // The null makes the list of values in the message end as Strapi's does.
      return string()
        .nullable()
        .oneOf([...attribute.enum, null])
    case 'email':
      return full
        ? textRule(attribute, full).email().min(1, '${path} cannot be empty')
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
      return mixed().test({
        name: 'array',
        message: '${path} must be a `array` type',
        skipAbsent: true,
        test: Array.isArray,
      })
    case 'json':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return mixed()
  }
}

/** Text is text: a number is not made into one. */
function textRule(attribute: ScalarAttribute, full: boolean) {
  const { minLength, maxLength, regex, required, type } = attribute
  let rule = string().transform((_value: unknown, original: unknown) => original)
  const longest = maxLength ?? (type === 'string' ? defaultMaxLength : undefined)
  if (longest !== undefined) rule = rule.max(longest)
  if (!full) return rule
  if (minLength !== undefined) rule = rule.min(minLength)
  if (regex !== undefined) rule = rule.matches(new RegExp(regex), { excludeEmptyString: !required })
  return rule
}

/** What is stored is a hash, which has no length or pattern of its own. */
function passwordRule(attribute: ScalarAttribute, full: boolean): Rule {
  const rule = textRule(attribute, full)
  return mixed().test('password', (value: unknown, context) => {
    if (value === null || value === undefined || value instanceof StoredSecret) return true
    try {
      rule.label(context.path).validateSync(value)
      return true
    } catch (error) {
      return context.createError({ message: (error as Error).message })
    }
  })
}

function numberRule() {
  return number()
    .transform(keepLists)
    .transform((value: unknown) =>
      value === null || Number.isFinite(value) || Array.isArray(value) ? value : NaN,
    )
}

/** yup reads `[1]` as 1 and `["true"]` as true. */
function keepLists(value: unknown, original: unknown): unknown {
  return Array.isArray(original) ? original : value
}

function rangeRule(rule: ReturnType<typeof numberRule>, attribute: ScalarAttribute, full: boolean) {
  if (!full) return rule
  const { min, max } = attribute
  const above = min === undefined ? rule : rule.min(Number(min))
  return max === undefined ? above : above.max(Number(max))
}

function bigIntegerRule({ min, max }: ScalarAttribute, full: boolean): Rule {
  const rule = mixed().test({
    name: 'biginteger',
    message: '${path} must be a valid integer',
    skipAbsent: true,
    test: (value) => toBigInt(value) !== undefined,
  })
  if (!full) return rule
  return rule
    .test('min', `\${path} must be greater than or equal to ${min}`, (value) => {
      const whole = toBigInt(value)
      return min === undefined || whole === undefined || whole >= BigInt(min)
    })
    .test('max', `\${path} must be less than or equal to ${max}`, (value) => {
      const whole = toBigInt(value)
      return max === undefined || whole === undefined || whole <= BigInt(max)
    })
}

/** A whole number of 64 bits, from a number or from digits; undefined for anything else. */
export function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'number' ? !Number.isInteger(value) : typeof value !== 'string')
    return undefined
  if (typeof value === 'string' && !wholeNumber.test(value)) return undefined
  const whole = BigInt(typeof value === 'string' ? value.replace('+', '') : (value as number))
  return whole >= least && whole <= greatest ? whole : undefined
}
