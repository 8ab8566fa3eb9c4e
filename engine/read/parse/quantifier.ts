import { fail } from '../../errors.js'
import type { Place, Quantifier } from './raw-query.js'
import { quantifiers } from './raw-query.js'

export const isQuantifier = (key: string): key is Quantifier =>
  (quantifiers as readonly string[]).includes(key)

const severalTargets = 'a relation to many, multiple media or a repeatable component'

/** Returns the 400 for a quantifier without a filter, or in a wrong position. */
export function invalidQuantifier(
  key: Quantifier,
  { path, param }: Place,
  expected = severalTargets,
  suggestion?: string,
): Error {
  const at = path.length === 0 ? null : path.join('.')
  return fail(
    'validation',
    { message: `Invalid ${key}${at === null ? '' : ` at ${at}`}. Expected ${expected}` },
    { key, path: at, expected, source: 'query', param, suggestion },
  )
}
