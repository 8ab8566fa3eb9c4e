import type { Schema } from 'yup'
import type { AttributeBase } from '../../schema/attribute.js'

/** A rule of yup's, whatever it makes of a value. */
export type Rule = Schema<unknown>

/** How strictly a value is looked at, and what an absent attribute means. */
export type RuleMode = Readonly<{
  /** `draft`: types and shapes only; `full`: also what publishing asks for (docs/decisions.md, "PUT merges"). */
  rules: 'draft' | 'full'
  /**
   * `new`: it takes its default; `keep`: it stays what it was; `join`, of a new locale of a document: it
   * takes its default, and what all locales share is there already.
   */
  absent: 'new' | 'keep' | 'join'
  /** Whether `required` holds for relations and media (`validation.requiredRelations`); default true. */
  requiredRelations?: boolean | undefined
}>

export const notDefined = '${path} must be defined.'

export function modeKey({ rules, absent, requiredRelations = true }: RuleMode): string {
  return `${rules} ${absent} ${requiredRelations}`
}

/** Whether null and nothing are allowed. */
export function withPresence(
  rule: Rule,
  { required }: Readonly<{ required: boolean }>,
  { rules, absent }: RuleMode,
): Rule {
  if (!required || rules === 'draft') return rule.nullable() as Rule
  return absent === 'keep' ? notNull(rule) : present(rule)
}

/** Whether components of an attribute may be there, so that an `id` names the one to edit. */
export function mayEdit({ localized }: AttributeBase, { absent }: RuleMode): boolean {
  return absent === 'keep' || (absent === 'join' && !localized)
}

/** A value must be there, and not be null. */
export function present(rule: Rule): Rule {
  return notNull(rule).defined(notDefined) as Rule
}

/** Null is told in yup's words for a wrong type, as Strapi does. */
export function notNull(rule: Rule): Rule {
  return rule.nonNullable(
    ({ path }: Readonly<{ path: string }>) =>
      `${path} must be a \`${rule.type}\` type, but the final value was: \`null\`.`,
  ) as Rule
}
