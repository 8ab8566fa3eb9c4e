/** A string to match against a pattern on another thread, because matching may take long. */
export type PatternCheck = Readonly<{
  /** The pattern in JavaScript's syntax, without slashes. */
  source: string
  text: string
}>

/** The result of a check. `unknown` means that the time limit was exceeded. */
export type PatternAnswer = 'found' | 'missing' | 'unknown'

/** Runs the checks of one write, in order, within one time limit. Throws a 503 if the checks cannot be run now. */
export type PatternChecker = (checks: readonly PatternCheck[]) => Promise<readonly PatternAnswer[]>
