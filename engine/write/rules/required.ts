import type { Schema } from 'yup'
import type { AttributeBase } from '../../schema/attribute.js'

/** A rule of yup, whatever type it returns. */
export type Rule = Schema<unknown>

/** How strictly values are checked, and what an absent attribute means. */
export type RuleMode = Readonly<{
  /** `draft`: only types and forms; `full`: also what publishing requires (docs/decisions.md, "PUT merges"). */
  rules: 'draft' | 'full'
  /**
   * Meaning of an absent attribute. `new`: it gets its default. `keep`: it keeps its stored value. `join`: it gets its
   * default, for a new locale of a document that already has shared values.
   */
  absent: 'new' | 'keep' | 'join'
  /** Whether `required` applies to relations and media (`validation.requiredRelations`); default true. */
  requiredRelations?: boolean | undefined
}>

export const notDefined = '${path} must be defined.'

export function modeKey({ rules, absent, requiredRelations = true }: RuleMode): string {
  return `${rules} ${absent} ${requiredRelations}`
}

/** Returns the rule with its conditions for null and absence. */
export function withPresence(
  rule: Rule,
  { required }: Readonly<{ required: boolean }>,
  { rules, absent }: RuleMode,
): Rule {
  if (!required || rules === 'draft') return rule.nullable() as Rule
  return absent === 'keep' ? notNull(rule) : present(rule)
}

/** Whether components of an attribute may exist already, so that an `id` names one to edit. */
export function mayEdit({ localized }: AttributeBase, { absent }: RuleMode): boolean {
  return absent === 'keep' || (absent === 'join' && !localized)
}

/** Requires a value other than null. */
export function present(rule: Rule): Rule {
  return notNull(rule).defined(notDefined) as Rule
}

/** Refuses null with yup's message for a wrong type, as in Strapi. */
export function notNull(rule: Rule): Rule {
  return rule.nonNullable(
    ({ path }: Readonly<{ path: string }>) =>
      `${path} must be a \`${rule.type}\` type, but the final value was: \`null\`.`,
  ) as Rule
}
