/**
 * A string to match against a pattern. This is plain data that can be sent to another thread, because matching may take
 * long and must not run on the main thread.
 */
export type PatternCheck = Readonly<{
  /** The pattern in JavaScript's syntax, without slashes. */
  source: string
  text: string
}>

/** Result of a check. `unknown` means that the time limit was exceeded. */
export type PatternAnswer = 'found' | 'missing' | 'unknown'

/**
 * Runs all pattern checks of one write, within one time limit. Returns their results in the same order. Throws a 503 if
 * checks are currently not possible.
 */
export type PatternChecker = (checks: readonly PatternCheck[]) => Promise<readonly PatternAnswer[]>
