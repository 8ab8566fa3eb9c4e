import { boolean, mixed, string } from 'yup'
import { emailAddress, emailRule } from '../../values/email-address.js'
import { maxLengthOf, type ScalarAttribute } from '../../schema/attribute.js'
import { valueForms } from '../../values/value-forms.js'
import { defaultOf } from '../../schema/default-of.js'
import { blocksRule } from './block-rules.js'
import { keepLists, numericRule } from './number-rules.js'
import { withPattern } from './patterns.js'
import type { Rule, RuleMode } from './required.js'
import { withPresence } from './required.js'
import { StoredSecret } from '../body/passwords.js'

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
