import { setImmediate } from 'node:timers/promises'

/**
 * Yields to the event loop in long loops that await nothing else. Call `while (turns.isOver()) await turns.next()`
 * before each round. Several loops may share one object.
 */
export function loopTurns(maxMs = 10) {
  let until = performance.now() + maxMs
  let coming: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    await setImmediate()
    until = performance.now() + maxMs
    coming = undefined
  }
  return {
    /** Whether the loops have used up their time of this turn. */
    isOver: () => performance.now() >= until,
    /**
     * Resolves in the next turn, for all loops at once. Check `isOver` again, because another loop may have used it up.
     */
    next: () => (coming ??= begin()),
  }
}
