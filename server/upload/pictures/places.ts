import { notDone } from '../../../engine/errors.js'

/** So many may do something at a time, and so many wait for it. */
export type Places = ReturnType<typeof createPlaces>

/** Places for work on pictures: `parallel` of them, and a queue of `queueLimit`. A hundred take minutes to draw. */
export function createPlaces({
  parallel,
  queueLimit = 100,
}: Readonly<{ parallel: number; queueLimit?: number }>) {
  let taken = 0
  // In the order in which they came.
  const waiting = new Set<() => void>()
  const leave = () => {
    // Whoever is done leaves its place to the next.
    for (const next of waiting) {
      waiting.delete(next)
      next()
      return
    }
    taken -= 1
  }
  const wait = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const next = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(next)
        reject(signal?.reason as Error)
      }
      waiting.add(next)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  return {
    figures: () => ({ running: taken, waiting: waiting.size }),
    /**
     * Answers when there is a place; whoever is done calls what it answers, once. Throws `unavailable` where too many
     * wait, and the reason of `signal` where that comes first.
     */
    take: async (signal?: AbortSignal) => {
      signal?.throwIfAborted()
      if (taken < parallel) taken += 1
      else if (waiting.size < queueLimit) await wait(signal)
      else throw notDone('Too many pictures wait')
      return leave
    },
  }
}
