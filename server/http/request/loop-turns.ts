import { setImmediate } from 'node:timers/promises'

/**
 * Lets long synchronous loops yield to the event loop. Before each iteration, call
 * `while (turns.isOver()) await turns.next()`. Several loops may share one object.
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
    /** Returns whether the loops have used up `maxMs` in this turn of the event loop. */
    isOver: () => performance.now() >= until,
    /**
     * Resolves in the next turn of the event loop, for all waiting loops at once. Check `isOver` again afterwards,
     * because another loop may already have used up the new turn.
     */
    next: () => (coming ??= begin()),
  }
}
