/** Durations of tasks, by the decade of their cost. */
export type ServiceTimes = Readonly<{
  /** Milliseconds; 0 until two tasks of that decade were measured. */
  of: (cost: number) => number
  note: (cost: number, ms: number) => void
}>

/** Returns 0 for a cost below 10, 1 below 100, …, and 7 from ten million on. */
export function priceClass(cost: number): number {
  return cost < 10 ? 0 : Math.min(7, Math.floor(Math.log10(cost)))
}

/** Remembered tasks per class. */
const windowLength = 8

type Known = Readonly<{ latest: readonly number[]; typical: number }>

/** Averages the latest tasks without the longest, so that a thread start or a pause does not distort the estimate. */
export function createServiceTimes(): ServiceTimes {
  const known: (Known | undefined)[] = []
  return {
    of: (cost) => known[priceClass(cost)]?.typical ?? 0,
    note: (cost, ms) => {
      const at = priceClass(cost)
      const latest = [...(known[at]?.latest ?? []), ms].slice(-windowLength)
      const sum = latest.reduce((before, each) => before + each, 0)
      const typical = (sum - Math.max(...latest)) / Math.max(1, latest.length - 1)
      known[at] = { latest, typical }
    },
  }
}
