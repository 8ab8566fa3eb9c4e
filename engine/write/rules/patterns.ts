import type { StringSchema } from 'yup'
import type { PatternAnswer, PatternCheck } from '../../patterns/pattern-check.js'
import type { Pattern } from '../../patterns/pattern.js'

/** The results of pattern checks, by pattern and text, for one write. */
export type PatternAnswers = Readonly<{
  /** Returns undefined if another thread has to run the check first. The check is then `open`. */
  find: (pattern: Pattern, text: string) => PatternAnswer | undefined
  open: () => readonly PatternCheck[]
  /** Takes the results of all open checks, in their order. */
  learn: (answers: readonly PatternAnswer[]) => void
}>

/**
 * Maximum number of regular-expression steps of one write on the main thread: some milliseconds, 40 at worst. Checks
 * beyond this limit, or without linear time, are left open.
 */
const maxSteps = 250_000
/** Fixed cost of each text in steps. */
const stepsPerText = 50

export function createPatternAnswers(): PatternAnswers {
  const known = new Map<string, Map<string, PatternAnswer>>()
  const open = new Map<string, Set<string>>()
  let left = maxSteps
  const checks = (): readonly PatternCheck[] =>
    [...open].flatMap(([source, texts]) => [...texts].map((text) => ({ source, text })))
  return {
    find: ({ source, linear }, text) => {
      const answer = known.get(source)?.get(text)
      if (answer !== undefined) return answer
      const steps = linear === undefined ? Infinity : linear.stepsPerUnit * text.length
      if (linear === undefined || steps + stepsPerText > left) {
        open.set(source, (open.get(source) ?? new Set()).add(text))
        return undefined
      }
      left -= steps + stepsPerText
      return linear.test(text) ? 'found' : 'missing'
    },
    open: checks,
    learn: (answers) => {
      for (const [at, { source, text }] of checks().entries())
        known.set(
          source,
          (known.get(source) ?? new Map<string, PatternAnswer>()).set(
            text,
            answers[at] ?? 'unknown',
          ),
        )
      open.clear()
    },
  }
}

/** Member of yup's context with the results of patterns. */
export type PatternContext = Readonly<{ patterns: PatternAnswers }>

/**
 * Works as yup's `matches`, but does not run slow patterns. A text with a slow pattern passes, and its check is left
 * open. The body is validated again when the results are known.
 * @param emptyPasses whether the empty text always passes
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

const tooSlow = 'Matching ${path} with the pattern "${regex}" took too long'
