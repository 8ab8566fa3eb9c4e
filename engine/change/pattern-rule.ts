import type { StringSchema } from 'yup'
import type { Pattern } from '../patterns/pattern.js'
import type { PatternAnswers } from './pattern-answers.js'

/** The member of yup's context that holds what is known of patterns. */
export type PatternContext = Readonly<{ patterns: PatternAnswers }>

/**
 * yup's `matches` without running a pattern that may take long: such a text passes, and is open in the answers, so
 * that the body is validated again when they are known.
 * @param emptyPasses whether the empty text is not asked for the pattern
 */
export function withPattern<T extends StringSchema>(
  rule: T,
  pattern: Pattern,
  emptyPasses: boolean,
): T {
  const params = { regex: pattern.native }
  return rule.test({
    name: 'matches',
    message: '${path} must match the following: "${regex}"',
    params,
    skipAbsent: true,
    test: (text, { options, createError }) => {
      if (typeof text !== 'string' || (text === '' && emptyPasses)) return true
      const { patterns } = options.context as PatternContext
      const answer = patterns.find(pattern, text)
      return answer === 'unknown' ? createError({ message: tooSlow, params }) : answer !== 'missing'
    },
  })
}

const tooSlow = '${path} took too long to be held against the pattern "${regex}"'
