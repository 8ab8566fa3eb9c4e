import { setImmediate } from 'node:timers/promises'

/**
 * Turns of the event loop, for loops that may wait for nothing else and would keep everybody waiting:
 * `while (turns.isOver()) await turns.next()` before each round, of one loop or of several at a time.
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
    /** Whether the loops have had their time of this turn. */
    isOver: () => performance.now() >= until,
    /** Resolves in the next turn, for all loops at once: who is not the first of them asks again whether that is over. */
    next: () => (coming ??= begin()),
  }
}
