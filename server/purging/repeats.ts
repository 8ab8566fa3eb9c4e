import { monotonicNow } from '../../engine/monotonic-now.js'
import { everyAnswer } from '../http/response/cache-keys.js'

/** Maximum number of keys that wait for their second purge. If there are more, all responses are purged instead. */
const maxKeys = 20_000

/**
 * Keys to purge a second time, because a response computed before a write can reach a cache after the first purge.
 * @param afterMs time between the two purges
 */
export function createRepeats(afterMs: number) {
  /** Time of the second purge by key, in ascending order. */
  let due = new Map<string, number>()
  /** Keys whose second purge is being sent. */
  const taken = new Set<string>()
  return {
    /** Records sent keys. Those sent for the first time become due again after `afterMs`. */
    sent: (keys: readonly string[]): void => {
      const at = monotonicNow() + afterMs
      for (const key of keys) {
        if (taken.delete(key)) continue
        due.delete(key)
        due.set(key, at)
      }
      if (due.size > maxKeys) due = new Map([[everyAnswer, at]])
    },
    /** Takes the due keys, except those in `besides`, which are purged now anyway because of a write. */
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
    hasten: (): void => {
      due = new Map([...due.keys()].map((key) => [key, -Infinity]))
    },
    /** Returns the milliseconds until the next key is due; Infinity for none. */
    dueInMs: (): number => {
      const [first] = due.values()
      return first === undefined ? Infinity : Math.max(0, first - monotonicNow())
    },
  }
}
