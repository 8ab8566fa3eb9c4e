import { RE2JS } from 're2js'
import { spreadSurrogates } from './code-units.js'
import { Obstacle, translatePattern } from './translate-pattern.js'

/** The compiled pattern of an attribute. */
export type Pattern = Readonly<{
  /** Without slashes, in JavaScript's syntax. */
  source: string
  /** Used for messages, and for patterns that need backtracking. Its running time is unlimited. */
  native: RegExp
  /** Matches in time linear in the text; absent if there is an obstacle. */
  linear?: Readonly<{
    /** Maximum number of steps for one code unit of the text. A step takes at most 150 ns. */
    stepsPerUnit: number
    /** Whether the pattern matches anywhere in the text, like `RegExp.prototype.test`. */
    test: (text: string) => boolean
  }>
  /** Why there is no linear matcher: `has a look-ahead`. */
  obstacle?: string
}>

/**
 * Compiles a pattern, which takes from a tenth of a millisecond to some milliseconds.
 * @throws SyntaxError if it is not valid in JavaScript
 */
export function createPattern(source: string): Pattern {
  return Object.freeze({ source, native: new RegExp(source), ...compileLinear(source) })
}

function compileLinear(source: string): Pick<Pattern, 'linear' | 'obstacle'> {
  try {
    const compiled = RE2JS.compile(translatePattern(source))
    const test = (text: string): boolean => compiled.test(spreadSurrogates(text))
    return { linear: { stepsPerUnit: compiled.programSize(), test } }
  } catch (error) {
    if (error instanceof Obstacle) return { obstacle: error.message }
    // The pattern is valid in JavaScript, so the parser's or RE2's limits are exceeded: nested repetitions, size.
    return { obstacle: 'is too large' }
  }
}
