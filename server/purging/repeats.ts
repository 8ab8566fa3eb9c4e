import { steadyNow } from '../../engine/steady-now.js'
import { everyAnswer } from '../http/cache-keys.js'

/** Beyond them everything is forgotten instead. */
const maxKeys = 20_000

/**
 * Keys that are sent once more after a while: an answer that was made before a write may reach a cache after the purge.
 * @param afterMs when they are sent again
 */
export function createRepeats(afterMs: number) {
  /** When each is due, the first first. */
  let due = new Map<string, number>()
  /** What was taken, and is being sent. */
  const taken = new Set<string>()
  return {
    /** These were sent; those that were so for the second time are done with. */
    sent: (keys: readonly string[]): void => {
      const at = steadyNow() + afterMs
      for (const key of keys) {
        if (taken.delete(key)) continue
        due.delete(key)
        due.set(key, at)
      }
      if (due.size > maxKeys) due = new Map([[everyAnswer, at]])
    },
    /** Those whose time has come; those that are sent for another write anyway are repeated after that. */
    takeDue: (besides: ReadonlySet<string>): readonly string[] => {
      const now = steadyNow()
      for (const key of besides) due.delete(key)
      for (const [key, at] of due) {
        if (at > now) break
        due.delete(key)
        taken.add(key)
      }
      return [...taken]
    },
    /** The time of all has come. */
    hasten: (): void => {
      due = new Map([...due.keys()].map((key) => [key, -Infinity]))
    },
    /** Until the next; Infinity where there is none. */
    dueInMs: (): number => {
      const [first] = due.values()
      return first === undefined ? Infinity : Math.max(0, first - steadyNow())
    },
  }
}
