import { createContext, Script } from 'node:vm'
import type { PatternAnswer, PatternCheck } from '../engine/patterns/pattern-check.js'
import type { Pattern } from '../engine/patterns/pattern.js'
import { createPattern } from '../engine/patterns/pattern.js'

/** The checks of one write, and the time limit for all of them together. */
export type PatternTask = Readonly<{ checks: readonly PatternCheck[]; timeoutMs: number }>

/** Patterns by source. Only definitions have patterns, so the map stays small. */
const patterns = new Map<string, Pattern>()

// Only a script of `vm` can be stopped in the middle of a regular expression.
const sandbox = createContext({ run: () => undefined })
const script = new Script('run()')

/**
 * Piscina's entry point: takes checks and returns their results. Checks for which there was no time left are `unknown`.
 */
export default function answerChecks({ checks, timeoutMs }: PatternTask): readonly PatternAnswer[] {
  const prepared = checks.map(({ source, text }) => ({ text, pattern: patternOf(source) }))
  const answers: PatternAnswer[] = []
  sandbox['run'] = () => {
    for (const { pattern, text } of prepared) answers.push(answerOf(pattern, text))
  }
  try {
    script.runInContext(sandbox, { timeout: timeoutMs })
  } catch (error) {
    if (!isTimeout(error)) throw error
  }
  return checks.map((_check, at) => answers[at] ?? 'unknown')
}

function answerOf({ native, linear }: Pattern, text: string): PatternAnswer {
  try {
    return (linear ?? native).test(text) ? 'found' : 'missing'
  } catch {
    // V8 gives up if matching needs too much memory.
    return 'unknown'
  }
}

function patternOf(source: string): Pattern {
  const pattern = patterns.get(source) ?? createPattern(source)
  patterns.set(source, pattern)
  return pattern
}

/** Compare the code, because the error comes from the sandbox, whose `Error` is another class. */
const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
