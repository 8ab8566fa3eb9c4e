import type { StringSchema } from 'yup'
import type { PatternAnswer, PatternCheck, PatternChecker } from '../../patterns/pattern-check.js'
import type { Pattern } from '../../patterns/pattern.js'

/** The results of regular expressions during one write. */
export type PatternAnswers = Readonly<{
  /** Returns undefined if another thread has to run this check first. `open` then returns the check. */
  find: (pattern: Pattern, text: string) => PatternAnswer | undefined
  open: () => readonly PatternCheck[]
  /** Stores the results of the checks that `open` returned. */
  learn: (answers: readonly PatternAnswer[]) => void
}>

/**
 * Maximum number of regular-expression steps of a write on the main thread: a few milliseconds, 40 ms at worst. Further
 * checks, and patterns that do not run in linear time, go to another thread.
 */
const maxSteps = 250_000
/** Steps counted for each string, in addition to those for its length. */
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

/**
 * Runs `validate`. If it needs the results of slow regular expressions, runs these, and then `validate` again.
 * @param check if undefined, no result is known, so strings that need one are rejected
 */
export async function withPatterns<T>(
  patterns: PatternAnswers,
  check: PatternChecker | undefined,
  validate: () => T,
): Promise<T> {
  for (;;) {
    const validated = validate()
    const open = patterns.open()
    if (open.length === 0) return validated
    patterns.learn(await (check ?? allUnknown)(open))
  }
}

const allUnknown: PatternChecker = (checks) => Promise.resolve(checks.map(() => 'unknown'))

/** The context of yup's rules. */
export type PatternContext = Readonly<{ patterns: PatternAnswers }>

/**
 * Adds a test like yup's `matches`, but leaves slow patterns to another thread. A string without a result passes for
 * now; when its result is known, the body is validated again.
 * @param emptyPasses whether the empty string always passes
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
