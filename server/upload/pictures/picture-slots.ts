import { notDone } from '../../../engine/errors.js'

/** Slots that limit concurrent work, with a queue. */
export type PictureSlots = ReturnType<typeof createPictureSlots>

/** Creates `parallel` slots for work on pictures, and a queue. A queue of 100 jobs, the default, takes minutes. */
export function createPictureSlots({
  parallel,
  queueLimit = 100,
}: Readonly<{ parallel: number; queueLimit?: number }>) {
  let taken = 0
  // Queued jobs in order of arrival.
  const waiting = new Set<() => void>()
  const leave = () => {
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
     * Waits for a slot. Returns a function that releases it; call it once. Throws `unavailable` if the queue is full,
     * and the reason of `signal` if it aborts.
     */
    take: async (signal?: AbortSignal) => {
      signal?.throwIfAborted()
      if (taken < parallel) taken += 1
      else if (waiting.size < queueLimit) await wait(signal)
      else throw notDone('Too many pictures are waiting')
      return leave
    },
  }
}
