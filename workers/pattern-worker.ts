import { createContext, Script } from 'node:vm'
import type { PatternAnswer, PatternCheck } from '../engine/patterns/pattern-check.js'
import type { Pattern } from '../engine/patterns/pattern.js'
import { createPattern } from '../engine/patterns/pattern.js'

/** The checks of one write, and how long they may take together. */
export type PatternTask = Readonly<{ checks: readonly PatternCheck[]; timeoutMs: number }>

/** Those of the definitions, so not more than there are. */
const patterns = new Map<string, Pattern>()

// Only what `vm` runs can be stopped in the middle of a regular expression.
const surroundings = createContext({ run: () => undefined })
const script = new Script('run()')

/** Piscina's entry: checks in, their answers out; what the time did not suffice for is `unknown`. */
export default function answerChecks({ checks, timeoutMs }: PatternTask): readonly PatternAnswer[] {
  const prepared = checks.map(({ source, text }) => ({ text, pattern: patternOf(source) }))
  const answers: PatternAnswer[] = []
  surroundings['run'] = () => {
    for (const { pattern, text } of prepared) answers.push(answerOf(pattern, text))
  }
  try {
    script.runInContext(surroundings, { timeout: timeoutMs })
  } catch (error) {
    if (!isTimeout(error)) throw error
  }
  return checks.map((_check, at) => answers[at] ?? 'unknown')
}

function answerOf({ native, linear }: Pattern, text: string): PatternAnswer {
  try {
    return (linear ?? native).test(text) ? 'found' : 'missing'
  } catch {
    // V8 gives up where it has to remember too much of a text.
    return 'unknown'
  }
}

function patternOf(source: string): Pattern {
  const pattern = patterns.get(source) ?? createPattern(source)
  patterns.set(source, pattern)
  return pattern
}

/** An error of that code comes from the surroundings, whose `Error` is not ours. */
const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
