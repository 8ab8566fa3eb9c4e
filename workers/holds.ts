/** Keeps track of the pauses of a queue. No task may start during a pause. */
export type Holds = Readonly<{
  isHeld: () => boolean
  /** Call this function when the last running task has ended. */
  becameIdle: () => void
  /** Pauses the queue, as `PausableQueue.hold` describes (`admission.ts`). */
  hold: (until: AbortSignal) => Promise<() => void>
}>

/**
 * Creates an object that keeps track of a queue's pauses.
 * @param isIdle returns whether no task is running
 * @param goOn called when a pause has ended
 */
export function createHolds({
  isIdle,
  goOn,
}: Readonly<{ isIdle: () => boolean; goOn: () => void }>): Holds {
  let holds = 0
  const waiting = new Set<() => void>()

  const whenIdle = (until: AbortSignal): Promise<void> => {
    if (isIdle()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        waiting.delete(notify)
        until.removeEventListener('abort', onAbort)
      }
      const notify = (): void => {
        settle()
        resolve()
      }
      const onAbort = (): void => {
        settle()
        reject(until.reason as Error)
      }
      waiting.add(notify)
      until.addEventListener('abort', onAbort, { once: true })
    })
  }

  return {
    isHeld: () => holds > 0,
    becameIdle: () => {
      for (const notify of waiting) notify()
    },
    hold: async (until) => {
      until.throwIfAborted()
      holds += 1
      let hasLetGo = false
      const letGo = (): void => {
        if (hasLetGo) return
        hasLetGo = true
        holds -= 1
        goOn()
      }
      try {
        await whenIdle(until)
        return letGo
      } catch (error) {
        letGo()
        throw error
      }
    },
  }
}
