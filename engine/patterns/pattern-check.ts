/** A string to match against a pattern on another thread, because matching may take long. */
export type PatternCheck = Readonly<{
  /** In JavaScript's syntax, without slashes. */
  source: string
  text: string
}>

/** `unknown` means that the time limit was exceeded. */
export type PatternAnswer = 'found' | 'missing' | 'unknown'

/**
 * Runs all pattern checks of one write within one time limit, in order. Throws a 503 if checks are not possible now.
 */
export type PatternChecker = (checks: readonly PatternCheck[]) => Promise<readonly PatternAnswer[]>
