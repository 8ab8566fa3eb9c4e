import type { ComponentAttribute, DynamicZoneAttribute } from '../schema/attribute.js'
import type { Rule, RuleMode } from './rule-mode.js'
import { notDefined, notNull } from './rule-mode.js'

/** A list of components. Null is no list, whatever the rules: `[]` empties it. */
export function listRule(
  list: Rule,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  { rules, absent }: RuleMode,
): Rule {
  const { min, max, required } = attribute
  const rule = notNull(list)
  if (rules === 'draft') return rule
  const there = required && absent === 'new' ? (rule.defined(notDefined) as Rule) : rule
  const atLeast = withLength(
    there,
    'min',
    `\${path} field must have at least ${min} items`,
    // An optional list may be empty, whatever it holds at least otherwise.
    (length) => min === undefined || length >= min || (!required && length === 0),
  )
  return withLength(
    atLeast,
    'max',
    `\${path} field must have less than or equal to ${max} items`,
    (length) => max === undefined || length <= max,
  )
}

function withLength(
  rule: Rule,
  name: string,
  message: string,
  fits: (length: number) => boolean,
): Rule {
  return rule.test({
    name,
    message,
    skipAbsent: true,
    test: (value) => !Array.isArray(value) || fits(value.length),
  })
}
