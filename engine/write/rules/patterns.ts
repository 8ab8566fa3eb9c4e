import type { StringSchema } from 'yup'
import type { PatternAnswer, PatternCheck } from '../../patterns/pattern-check.js'
import type { Pattern } from '../../patterns/pattern.js'

/** What one write knows of its texts and the patterns of their attributes. */
export type PatternAnswers = Readonly<{
  /** Undefined: this has to be found out elsewhere first; it is `open` from then on. */
  find: (pattern: Pattern, text: string) => PatternAnswer | undefined
  open: () => readonly PatternCheck[]
  /** Takes the answers to all that is open, in its order. */
  learn: (answers: readonly PatternAnswer[]) => void
}>

/**
 * Steps that one write may take on the main thread: some milliseconds, 40 at worst. What is beyond them, or cannot
 * be told in linear time, is left open.
 */
const maxSteps = 250_000
/** What a text costs however short it is. */
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
