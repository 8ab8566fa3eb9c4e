import type { Schema } from 'yup'

/** A rule of yup's, whatever it makes of a value. */
export type Rule = Schema<unknown>

/** How strictly a value is looked at, and what an absent attribute means. */
export type RuleMode = Readonly<{
  /** `draft`: types and shapes only; `full`: also what publishing asks for (D17). */
  rules: 'draft' | 'full'
  /** `new`: it takes its default; `keep`: it stays what it was. */
  absent: 'new' | 'keep'
}>

export const notDefined = '${path} must be defined.'

export function modeKey({ rules, absent }: RuleMode): string {
  return `${rules} ${absent}`
}

/** Whether null and nothing are allowed. */
export function withPresence(
  rule: Rule,
  { required }: Readonly<{ required: boolean }>,
  { rules, absent }: RuleMode,
): Rule {
  if (!required || rules === 'draft') return rule.nullable() as Rule
  return absent === 'new' ? present(rule) : notNull(rule)
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
