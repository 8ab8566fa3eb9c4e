import type { QueueClient } from './queue-capacity.js'

/** Durations of tasks, by the decade of their cost. */
type ServiceTimes = Readonly<{
  /** Milliseconds; 0 until two tasks of that decade were measured. */
  of: (cost: number) => number
  note: (cost: number, ms: number) => void
}>

/** Returns 0 for a cost below 10, 1 below 100, …, and 7 from ten million on. */
export function priceClass(cost: number): number {
  return cost < 10 ? 0 : Math.min(7, Math.floor(Math.log10(cost)))
}

/** Number of remembered tasks per decade of cost. */
const windowLength = 8

type Known = Readonly<{ latest: readonly number[]; typical: number }>

/**
 * Averages the durations of the latest tasks without the longest one, so that a thread start or a pause does not
 * distort the estimate.
 */
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

type Waiting = Readonly<{ cost: number; client?: QueueClient | undefined }>

/**
 * Milliseconds for which later, cheaper requests may overtake a request, by the decade of its cost. So an expensive
 * request waits behind cheap requests, but not forever.
 */
const delayMs = [10, 100, 300, 1000, 2000, 3000, 4000, 5000]

/**
 * Waiting requests, ordered by rank and then by arrival. Addresses take turns: the delay of a request is added once
 * more for each waiting request of the same address and decade of cost.
 */
export class TurnQueue<Entry extends Readonly<{ request: Waiting; rank: number }>> {
  readonly #entries: Entry[] = []

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Returns the rank of a request that arrives now. A request of the service itself goes before all others. */
  rankOf({ cost, client }: Waiting, now: number): number {
    if (client === undefined) return 0
    const decade = priceClass(cost)
    const own = this.#entries.filter(
      ({ request }) =>
        request.client?.address === client.address && priceClass(request.cost) === decade,
    )
    const rank = now + (own.length + 1) * (delayMs[decade] ?? 0)
    return Math.max(rank, own.at(-1)?.rank ?? 0)
  }

  /** Returns the entries that go before a new one of this rank. */
  before(rank: number): readonly Entry[] {
    return this.#entries.slice(0, this.#indexOf(rank))
  }

  add(entry: Entry): void {
    this.#entries.splice(this.#indexOf(entry.rank), 0, entry)
  }

  /** Removes and returns the next entry. */
  shift(): Entry | undefined {
    return this.#entries.shift()
  }

  /** Removes an entry; returns false if it is no longer queued. */
  remove(entry: Entry): boolean {
    const at = this.#entries.indexOf(entry)
    if (at >= 0) this.#entries.splice(at, 1)
    return at >= 0
  }

  #indexOf(rank: number): number {
    return this.#entries.findLastIndex((entry) => entry.rank <= rank) + 1
  }
}
