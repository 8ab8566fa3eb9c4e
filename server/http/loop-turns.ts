import { setImmediate } from 'node:timers/promises'

/** Turns of the event loop, for loops that may wait for nothing else and would keep everybody waiting. */
export type LoopTurns = Readonly<{
  /** Whether the loops have had their time of this turn. */
  isOver: () => boolean
  /** Resolves in the next turn, for all loops at once: who is not the first of them asks again whether that is over. */
  next: () => Promise<void>
}>

/** `while (turns.isOver()) await turns.next()` before each round, of one loop or of several at a time. */
export function loopTurns(maxMs = 10): LoopTurns {
  let until = performance.now() + maxMs
  let coming: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    await setImmediate()
    until = performance.now() + maxMs
    coming = undefined
  }
  return { isOver: () => performance.now() >= until, next: () => (coming ??= begin()) }
}
