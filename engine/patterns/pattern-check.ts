/**
 * A text to hold against a pattern where that may take long, so not on the main thread; plain data that can cross
 * a thread.
 */
export type PatternCheck = Readonly<{
  /** Without slashes, in JavaScript's language. */
  source: string
  text: string
}>

/** `unknown`: the time was over. */
export type PatternAnswer = 'found' | 'missing' | 'unknown'

/**
 * Makes all checks of one write, with one time limit, and answers them in their order.
 * Throws 503 where it cannot be done now.
 */
export type PatternChecker = (checks: readonly PatternCheck[]) => Promise<readonly PatternAnswer[]>
