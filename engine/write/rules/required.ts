import type { Schema } from 'yup'
import type { AttributeBase } from '../../schema/attribute.js'

/** A yup rule for values of any type. */
export type Rule = Schema<unknown>

/** How strictly values are validated, and what absence means. */
export type RuleMode = Readonly<{
  /** `draft`: only the form. `full`: also what publishing requires (docs/internals/decisions.md, "PUT merges"). */
  rules: 'draft' | 'full'
  /**
   * An attribute that the body does not contain gets its default (`new`), or keeps its stored value (`keep`). `join` is
   * like `new`, but the document has shared values from other locales, which the body may edit.
   */
  absent: 'new' | 'keep' | 'join'
  /** Whether `required` applies to relations and media (`validation.requiredRelations`). */
  requiredRelations?: boolean | undefined
}>

export const notDefined = '${path} must be defined.'

export function modeKey({ rules, absent, requiredRelations = true }: RuleMode): string {
  return `${rules} ${absent} ${requiredRelations}`
}

/** Returns the rule with conditions on null and absent values. */
export function withPresence(
  rule: Rule,
  { required }: Readonly<{ required: boolean }>,
  { rules, absent }: RuleMode,
): Rule {
  if (!required || rules === 'draft') return rule.nullable() as Rule
  return absent === 'keep' ? notNull(rule) : present(rule)
}

/** Whether there may be stored components, which a component with an `id` in the body edits. */
export function mayEdit({ localized }: AttributeBase, { absent }: RuleMode): boolean {
  return absent === 'keep' || (absent === 'join' && !localized)
}

/** Makes a rule reject null and undefined. */
export function present(rule: Rule): Rule {
  return notNull(rule).defined(notDefined) as Rule
}

/** Makes a rule reject null. As in Strapi, the message is yup's for a wrong type. */
export function notNull(rule: Rule): Rule {
  return rule.nonNullable(
    ({ path }: Readonly<{ path: string }>) =>
      `${path} must be a \`${rule.type}\` type, but the final value was: \`null\`.`,
  ) as Rule
}
