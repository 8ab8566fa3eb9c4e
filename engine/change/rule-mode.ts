/** How strictly a value is looked at, and what an absent attribute means. */
export type RuleMode = Readonly<{
  /** `draft`: types and shapes only; `full`: also what publishing asks for (D17). */
  rules: 'draft' | 'full'
  /** `new`: it takes its default; `keep`: it stays what it was. */
  absent: 'new' | 'keep'
}>

export function modeKey({ rules, absent }: RuleMode): string {
  return `${rules} ${absent}`
}

/** Said of null where none may be, in yup's words for a wrong type. */
export function notNull(type: string): (params: Readonly<{ path: string }>) => string {
  return ({ path }) => `${path} must be a \`${type}\` type, but the final value was: \`null\`.`
}

export const notDefined = '${path} must be defined.'
