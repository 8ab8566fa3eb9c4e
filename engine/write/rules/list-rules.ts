import { ValidationError } from 'yup'
import type { ComponentAttribute, DynamicZoneAttribute } from '../../schema/attribute.js'
import { isObject } from '../../values/is-object.js'
import type { Rule, RuleMode } from './required.js'
import { mayEdit, notDefined, notNull } from './required.js'

/** Returns the rule for a list of components. `[]` empties the list; null is never valid. */
export function listRule(list: Rule, attribute: List, mode: RuleMode): Rule {
  const { rules, absent } = mode
  const { min, max, required } = attribute
  // A component with an `id` edits a stored one, so ids must be distinct. If all components are new, ids are ignored.
  const isEdited = attribute.type === 'component' && mayEdit(attribute, mode)
  const rule = isEdited ? withDistinctIds(notNull(list)) : notNull(list)
  if (rules === 'draft') return rule
  const there = required && absent !== 'keep' ? (rule.defined(notDefined) as Rule) : rule
  const atLeast = withLength(
    there,
    'min',
    `\${path} field must have at least ${min} items`,
    (length) => isLongEnough(attribute, length),
  )
  return withLength(
    atLeast,
    'max',
    `\${path} field must have less than or equal to ${max} items`,
    (length) => isShortEnough(attribute, length),
  )
}

type List = ComponentAttribute | DynamicZoneAttribute

/** Whether the number of items is allowed. */
export const isFitting = (list: List, length: number): boolean =>
  isLongEnough(list, length) && isShortEnough(list, length)

/** A list that is not required may be empty despite a minimum. */
const isLongEnough = ({ min, required }: List, length: number): boolean =>
  min === undefined || length >= min || (!required && length === 0)

const isShortEnough = ({ max }: List, length: number): boolean => max === undefined || length <= max

function withDistinctIds(rule: Rule): Rule {
  return rule.test({
    name: 'ids',
    skipAbsent: true,
    test: (value, { path }) => {
      if (!Array.isArray(value)) return true
      const ids = value.map((item: unknown) => (isObject(item) ? item['id'] : undefined))
      const seen = new Set<number>()
      for (const [at, id] of ids.entries()) {
        if (id === undefined) continue
        const place = `${path}[${at}].id`
        if (seen.has(Number(id)))
          return new ValidationError(`${place} names a component that is there already`, id, place)
        seen.add(Number(id))
      }
      return true
    },
  })
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
