import { monotonicNow } from '../../engine/monotonic-now.js'
import { everyAnswer } from '../http/response/cache-keys.js'

/** Maximum number of keys. Above it, everything is purged instead. */
const maxKeys = 20_000

/**
 * Creates the list of keys that are purged again after a while, because a response from before a write may reach a
 * cache after the purge.
 * @param afterMs time until the second purge
 */
export function createRepeats(afterMs: number) {
  /** Due times by key, in ascending order. */
  let due = new Map<string, number>()
  /** Keys that were taken and are being sent. */
  const taken = new Set<string>()
  return {
    /** Records that keys were sent. A key that was sent for the second time needs no repetition. */
    sent: (keys: readonly string[]): void => {
      const at = monotonicNow() + afterMs
      for (const key of keys) {
        if (taken.delete(key)) continue
        due.delete(key)
        due.set(key, at)
      }
      if (due.size > maxKeys) due = new Map([[everyAnswer, at]])
    },
    /** Takes the keys that are due. Keys in `besides` are sent for another write anyway, so they become due later. */
    takeDue: (besides: ReadonlySet<string>): readonly string[] => {
      const now = monotonicNow()
      for (const key of besides) due.delete(key)
      for (const [key, at] of due) {
        if (at > now) break
        due.delete(key)
        taken.add(key)
      }
      return [...taken]
    },
    /** Makes all keys due. */
    hasten: (): void => {
      due = new Map([...due.keys()].map((key) => [key, -Infinity]))
    },
    /** Milliseconds until the next key is due; Infinity if there is none. */
    dueInMs: (): number => {
      const [first] = due.values()
      return first === undefined ? Infinity : Math.max(0, first - monotonicNow())
    },
  }
}
