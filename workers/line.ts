/** Lets so many tasks run at a time; the others wait, first come first served. */
export type Line = Readonly<{
  /**
   * Resolves when it is the caller's turn, with what the caller calls when it is done. A caller whose
   * signal is aborted leaves the line: rejects with its reason. Undefined: too many wait already.
   */
  enter: (signal?: AbortSignal) => Promise<() => void> | undefined
}>

export function createLine(places: number, maxWaiting: number): Line {
  // In the order of their insertion.
  const waiting = new Set<() => void>()
  let running = 0
  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) running -= 1
    else next()
  }
  return {
    enter: (signal) => {
      if (running < places) {
        running += 1
        return Promise.resolve(once(leave))
      }
      if (waiting.size >= maxWaiting) return undefined
      return new Promise((resolve, reject) => {
        const onTurn = (): void => {
          waiting.delete(onTurn)
          signal?.removeEventListener('abort', onAbort)
          resolve(once(leave))
        }
        const onAbort = (): void => {
          waiting.delete(onTurn)
          reject(signal?.reason as Error)
        }
        waiting.add(onTurn)
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
  }
}

/** A place that was left belongs to another. */
function once(leave: () => void): () => void {
  let left = false
  return () => {
    if (!left) leave()
    left = true
  }
}
