import type { Schema } from 'yup'
import type { AttributeBase } from '../../schema/attribute.js'

/** A yup rule for values of any type. */
export type Rule = Schema<unknown>

/** Says how strictly values are validated, and what the absence of an attribute means. */
export type RuleMode = Readonly<{
  /**
   * `draft`: validate only the form of values. `full`: also validate what publishing requires (docs/internals/decisions.md, "PUT
   * merges").
   */
  rules: 'draft' | 'full'
  /**
   * Treatment of an attribute that the body does not contain. `new`: it gets its default. `keep`: it keeps its
   * stored value. `join`: it gets its default, but the document has shared values from other locales, which the body
   * may edit.
   */
  absent: 'new' | 'keep' | 'join'
  /** Whether `required` applies to relations and media (`validation.requiredRelations`); default true. */
  requiredRelations?: boolean | undefined
}>

export const notDefined = '${path} must be defined.'

export function modeKey({ rules, absent, requiredRelations = true }: RuleMode): string {
  return `${rules} ${absent} ${requiredRelations}`
}

/** Returns the rule with additional conditions: whether the value may be null or absent. */
export function withPresence(
  rule: Rule,
  { required }: Readonly<{ required: boolean }>,
  { rules, absent }: RuleMode,
): Rule {
  if (!required || rules === 'draft') return rule.nullable() as Rule
  return absent === 'keep' ? notNull(rule) : present(rule)
}

/** Whether stored components of an attribute may exist. If so, a component with an `id` edits the stored one. */
export function mayEdit({ localized }: AttributeBase, { absent }: RuleMode): boolean {
  return absent === 'keep' || (absent === 'join' && !localized)
}

/** Returns the rule with the additional condition that there is a value other than null. */
export function present(rule: Rule): Rule {
  return notNull(rule).defined(notDefined) as Rule
}

/**
 * Returns the rule with the additional condition that the value is not null. As in Strapi, the error message is yup's
 * message for a wrong type.
 */
export function notNull(rule: Rule): Rule {
  return rule.nonNullable(
    ({ path }: Readonly<{ path: string }>) =>
      `${path} must be a \`${rule.type}\` type, but the final value was: \`null\`.`,
  ) as Rule
}
