/** Runs at most `limit` tasks at a time, and of those that can wait at most `patientLimit`. */
export class Limiter {
  readonly #limit: number
  readonly #patientLimit: number
  readonly #waiting: (() => void)[] = []
  readonly #patient: (() => void)[] = []
  #running = 0
  #runningPatient = 0

  constructor(limit: number, patientLimit = limit) {
    this.#limit = limit
    this.#patientLimit = patientLimit
  }

  /** How many tasks run now. */
  get running(): number {
    return this.#running
  }

  /**
   * First come first served, but that `patient` tasks let others go before them. One of them runs at
   * any time, so that they are served however many others come.
   */
  async run<Result>(task: () => Promise<Result>, patient = false): Promise<Result> {
    await new Promise<void>((resolve) => {
      const waiting = patient ? this.#patient : this.#waiting
      waiting.push(() => {
        this.#running++
        if (patient) this.#runningPatient++
        resolve()
      })
      this.#begin()
    })
    try {
      return await task()
    } finally {
      this.#running--
      if (patient) this.#runningPatient--
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
    const first = this.#runningPatient === 0 ? this.#patient.shift() : undefined
    if (first !== undefined) return first
    return (
      this.#waiting.shift() ??
      (this.#runningPatient < this.#patientLimit ? this.#patient.shift() : undefined)
    )
  }
}
