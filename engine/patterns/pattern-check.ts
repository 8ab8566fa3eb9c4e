/**
 * A text to match against a pattern. Matching may take long, so it must not run on the main thread. This is plain data
 * that can be sent to another thread.
 */
export type PatternCheck = Readonly<{
  /** Without slashes, in JavaScript's syntax. */
  source: string
  text: string
}>

/** `unknown`: the time limit was reached. */
export type PatternAnswer = 'found' | 'missing' | 'unknown'

/**
 * Runs all checks of one write under one time limit. Returns their results in order.
 * Throws a 503 if checks are not possible now.
 */
export type PatternChecker = (checks: readonly PatternCheck[]) => Promise<readonly PatternAnswer[]>
