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

/** Of how many tasks of a class the times are remembered, the guess being the first. */
const windowLength = 8

type Known = Readonly<{ latest: number[]; typical: number }>

/**
 * The mean of the latest tasks but the longest, so that one that had to start its thread, or met a pause, does not
 * speak for those after it.
 */
export function createServiceTimes(): ServiceTimes {
  const known: (Known | undefined)[] = []
  return {
    of: (cost) => {
      const own = priceClass(cost)
      for (let at = own; at >= 0; at -= 1) {
        const times = known[at]
        if (times === undefined) continue
        return at === own ? times.typical : Math.max(times.typical, guessMs[own] ?? 0)
      }
      return guessMs[own] ?? 0
    },
    note: (cost, ms) => {
      const at = priceClass(cost)
      const latest = [...(known[at]?.latest ?? [guessMs[at] ?? 0]), ms].slice(-windowLength)
      const sum = latest.reduce((before, each) => before + each, 0)
      const typical = (sum - Math.max(...latest)) / (latest.length - 1)
      known[at] = { latest, typical }
    },
  }
}
