/** Runs at most `limit` tasks at a time, of which at most `lowPriorityLimit` have low priority. */
export class Limiter {
  readonly #limit: number
  readonly #lowPriorityLimit: number
  readonly #waiting: (() => void)[] = []
  readonly #lowPriority: (() => void)[] = []
  #running = 0
  #runningLowPriority = 0

  constructor(limit: number, lowPriorityLimit = limit) {
    this.#limit = limit
    this.#lowPriorityLimit = lowPriorityLimit
  }

  get running(): number {
    return this.#running
  }

  /**
   * Runs tasks in order of arrival, low-priority tasks after all others. But if no low-priority task is running, the
   * oldest waiting one comes next, so that low-priority tasks cannot be blocked forever.
   */
  async run<Result>(task: () => Promise<Result>, isLowPriority = false): Promise<Result> {
    await new Promise<void>((resolve) => {
      const waiting = isLowPriority ? this.#lowPriority : this.#waiting
      waiting.push(() => {
        this.#running++
        if (isLowPriority) this.#runningLowPriority++
        resolve()
      })
      this.#begin()
    })
    try {
      return await task()
    } finally {
      this.#running--
      if (isLowPriority) this.#runningLowPriority--
      this.#begin()
    }
  }

  #begin(): void {
    while (this.#running < this.#limit) {
      const next = this.#next()
      if (next === undefined) return
      next()
    }
  }

  #next(): (() => void) | undefined {
    const first = this.#runningLowPriority === 0 ? this.#lowPriority.shift() : undefined
    if (first !== undefined) return first
    return (
      this.#waiting.shift() ??
      (this.#runningLowPriority < this.#lowPriorityLimit ? this.#lowPriority.shift() : undefined)
    )
  }
}
