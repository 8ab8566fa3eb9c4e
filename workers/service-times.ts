/** How long tasks take, as far as it is known from those before, by the decade of their cost. */
export type ServiceTimes = Readonly<{
  /** Milliseconds; a guess where none as dear was seen yet. */
  of: (cost: number) => number
  note: (cost: number, ms: number) => void
}>

/** 0 for a cost below 10, 1 below 100, …, and 7 from ten million on. */
export function priceClass(cost: number): number {
  return cost < 10 ? 0 : Math.min(7, Math.floor(Math.log10(cost)))
}

/**
 * By class. Rather too long: of what comes first, all at once, more would be let in than can be served, and
 * who was let in is not sent away any more.
 */
const guessMs = [2, 5, 25, 500, 500, 1000, 2000, 4000]

/**
 * The mean of the latest tasks and twice how far they are from it, as TCP knows round trips (RFC 6298): who is
 * told that there is a turn for him should rather wait less than that.
 */
export function createServiceTimes(): ServiceTimes {
  const known: ({ mean: number; deviation: number } | undefined)[] = []
  return {
    of: (cost) => {
      const own = priceClass(cost)
      for (let at = own; at >= 0; at -= 1) {
        const times = known[at]
        if (times === undefined) continue
        const ms = times.mean + 2 * times.deviation
        return at === own ? ms : Math.max(ms, guessMs[own] ?? 0)
      }
      return guessMs[own] ?? 0
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
