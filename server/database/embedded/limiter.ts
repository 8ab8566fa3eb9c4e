/** Runs at most `limit` tasks at a time, of which at most `patientLimit` are patient ones. */
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

  /** Number of running tasks. */
  get running(): number {
    return this.#running
  }

  /**
   * Runs tasks first come first served, but `patient` ones after the others. If no patient task is running, the next
   * one comes first, so that they make progress however many others come.
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
