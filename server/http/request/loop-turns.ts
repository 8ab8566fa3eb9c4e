import { setImmediate } from 'node:timers/promises'

/**
 * Lets long synchronous loops yield to the event loop. Several loops may share one object. Before each iteration, call
 * `while (turns.isOver()) await turns.next()`.
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
    isOver: () => performance.now() >= until,
    /**
     * Resolves in the next turn, for all waiting loops at once. One of them may use up that turn, so check `isOver`
     * again.
     */
    next: () => (coming ??= begin()),
  }
}
