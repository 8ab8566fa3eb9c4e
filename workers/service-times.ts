/** How long tasks take, as far as it is known from those before, by the decade of their cost. */
export type ServiceTimes = Readonly<{
  /** Milliseconds; 0 where nothing is known of any as dear. */
  of: (cost: number) => number
  note: (cost: number, ms: number) => void
}>

/** 0 for a cost below 10, 1 below 100, …, and 7 from ten million on. */
export function priceClass(cost: number): number {
  return cost < 10 ? 0 : Math.min(7, Math.floor(Math.log10(cost)))
}

/**
 * The mean of the latest tasks and twice how far they are from it, as TCP knows round trips (RFC 6298): who is
 * told that there is a turn for him should rather wait less than that.
 */
export function createServiceTimes(): ServiceTimes {
  const known: ({ mean: number; deviation: number } | undefined)[] = []
  return {
    of: (cost) => {
      // What is not known is taken to be as what is a little cheaper.
      for (let at = priceClass(cost); at >= 0; at -= 1) {
        const times = known[at]
        if (times !== undefined) return times.mean + 2 * times.deviation
      }
      return 0
    },
    note: (cost, ms) => {
      const at = priceClass(cost)
      const times = known[at]
      if (times === undefined) {
        known[at] = { mean: ms, deviation: ms / 4 }
        return
      }
      times.deviation += (Math.abs(ms - times.mean) - times.deviation) / 4
      times.mean += (ms - times.mean) / 8
    },
  }
}
