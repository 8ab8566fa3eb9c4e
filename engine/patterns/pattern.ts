import { RE2JS } from 're2js'
import { spreadSurrogates } from './code-units.js'
import { Obstacle, translatePattern } from './translate-pattern.js'

/** The pattern of an attribute, ready to be held against texts. */
export type Pattern = Readonly<{
  /** Without slashes, in JavaScript's language. */
  source: string
  /** For messages, and for what has to backtrack; running it takes as long as it likes. */
  native: RegExp
  /** Tells in time linear in the text; absent where there is an obstacle. */
  linear?: Readonly<{
    /** Steps that a code unit of the text costs at most; a step takes 150 ns at worst. */
    stepsPerUnit: number
    /** Whether the pattern is found anywhere in the text; what `RegExp.prototype.test` says. */
    test: (text: string) => boolean
  }>
  /** Why no linear matcher can do it: `has a look-ahead`. */
  obstacle?: string
}>

/**
 * A pattern from its source, which takes from a tenth of a millisecond to some.
 * @throws SyntaxError for what JavaScript does not read
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
    // JavaScript reads it, so whatever is wrong is what is beyond the parser or RE2: nested repetitions, size.
    return { obstacle: 'is too large' }
  }
}
