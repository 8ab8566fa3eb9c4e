import type { Admission, AdmissionRequest, PausableQueue, Queue } from './admission.js'

/**
 * Waits for a slot, then runs a task. Rejects with the errors of `enter` and of `run`.
 * @param run the task. It can pass promises to `outlasts`; then the slot is only freed once these have settled, too
 */
export async function runInQueue<T>(
  queue: Queue,
  request: AdmissionRequest,
  run: (outlasts: (running: Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  const leave = await queue.enter(request)
  const running: Promise<unknown>[] = []
  try {
    return await run((one) => void running.push(one))
  } finally {
    if (running.length === 0) leave()
    else void Promise.allSettled(running).then(leave)
  }
}

type QueueBySizeOptions = Readonly<{
  /** Names for metrics. */
  small: string
  large: string
  /** The queue of large tasks has a quarter of this number. */
  slots: number
  /** Cost from which a task is large. */
  largeCost: number
  /** See `Admission.queue`. */
  overflows?: boolean
}>

/** Creates a queue of small tasks and one of large tasks, so that small ones never wait for large ones. */
export function queueBySize(
  admission: Admission,
  { slots, largeCost, overflows = false, ...names }: QueueBySizeOptions,
): PausableQueue {
  const small = admission.queue({ name: names.small, slots, overflows })
  const fewer = Math.max(1, Math.floor(slots / 4))
  const large = admission.queue({ name: names.large, slots: fewer, overflows })
  return {
    enter: (request) => (request.cost < largeCost ? small : large).enter(request),
    hold: async (until) => {
      const held = [small.hold(until), large.hold(until)]
      try {
        const resumes = await Promise.all(held)
        return () => resumes.forEach((resume) => resume())
      } catch (error) {
        for (const one of held)
          void one.then(
            (resume) => resume(),
            () => undefined,
          )
        throw error
      }
    },
  }
}
