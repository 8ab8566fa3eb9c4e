import { RE2JS } from 're2js'
import { spreadSurrogates } from './code-units.js'
import { translatePattern } from './translate-pattern.js'

/** The pattern of an attribute, ready to be held against texts. */
export type Pattern = Readonly<{
  /** Without slashes, in JavaScript's language. */
  source: string
  /** For messages, and for what has to backtrack; running it takes as long as it likes. */
  native: RegExp
  /** Tells in time linear in the text; absent where there is an obstacle. */
  linear?: LinearTest
  /** Why no linear matcher can do it: `has a look-ahead`. */
  obstacle?: string
}>

type LinearTest = Readonly<{
  /** Steps that a code unit of the text costs at most; a step takes 150 ns at worst. */
  stepsPerUnit: number
  /** Whether the pattern is found anywhere in the text; what `RegExp.prototype.test` says. */
  test: (text: string) => boolean
}>

/**
 * A pattern from its source, which takes from a tenth of a millisecond to some.
 * @throws SyntaxError for what JavaScript does not read
 */
export function createPattern(source: string): Pattern {
  const native = new RegExp(source)
  const compiled = compileLinear(source)
  return Object.freeze({ source, native, ...compiled })
}

function compileLinear(source: string): Pick<Pattern, 'linear' | 'obstacle'> {
  try {
    const translation = translatePattern(source)
    if ('obstacle' in translation) return translation
    const compiled = RE2JS.compile(translation.re2)
    const linear: LinearTest = {
      stepsPerUnit: compiled.programSize(),
      test: (text) => compiled.test(spreadSurrogates(text)),
    }
    return { linear }
  } catch {
    // JavaScript reads it, so whatever is wrong is what is beyond the parser or RE2: nested repetitions, size.
    return { obstacle: 'is too large' }
  }
}
