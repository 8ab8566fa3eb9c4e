/** Runs at most `limit` tasks at a time, first come first served. */
export class Limiter {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many tasks run now. */
  get running(): number {
    return this.#running
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    // A slot is handed over, not given back: a newcomer cannot overtake those who wait.
    if (this.#running < this.#limit) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
