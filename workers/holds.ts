/** Tracks the pauses of a queue, during which no task may start. */
export type Holds = Readonly<{
  isHeld: () => boolean
  /** Call this when the last running task has ended. */
  becameIdle: () => void
  /** See `PausableQueue.hold` (`admission.ts`). */
  hold: (until: AbortSignal) => Promise<() => void>
}>

/**
 * @param isIdle whether no task is running
 * @param goOn called after a pause
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
