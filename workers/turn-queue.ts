import type { QueueClient } from './queue-capacity.js'

/** Measured durations of tasks, by decade of their costs (10 to 99, 100 to 999 …). */
type ServiceTimes = Readonly<{
  /**
   * Returns the usual duration of a task with this cost in milliseconds; 0 until two tasks of its decade were measured.
   */
  of: (cost: number) => number
  note: (cost: number, ms: number) => void
}>

/** Returns 0 for a cost below 10, 1 below 100, …, and 7 from ten million on. */
export function costDecade(cost: number): number {
  return cost < 10 ? 0 : Math.min(7, Math.floor(Math.log10(cost)))
}

/** Number of latest durations that are kept for each decade of cost. */
const windowLength = 8

type Known = Readonly<{ latest: readonly number[]; typical: number }>

/** Averages the latest durations of each decade, without the longest, which may include a thread start or a pause. */
export function createServiceTimes(): ServiceTimes {
  const known: (Known | undefined)[] = []
  return {
    of: (cost) => known[costDecade(cost)]?.typical ?? 0,
    note: (cost, ms) => {
      const at = costDecade(cost)
      const latest = [...(known[at]?.latest ?? []), ms].slice(-windowLength)
      const sum = latest.reduce((before, each) => before + each, 0)
      const typical = (sum - Math.max(...latest)) / Math.max(1, latest.length - 1)
      known[at] = { latest, typical }
    },
  }
}

type Waiting = Readonly<{ cost: number; client?: QueueClient | undefined }>

/** Milliseconds after which later, cheaper requests no longer overtake a request, by the decade of its cost. */
const delayMs = [10, 100, 300, 1000, 2000, 3000, 4000, 5000]

/**
 * Requests, ordered by rank and then by arrival. The rank is the time of arrival plus the delay of the cost's decade.
 * The delay grows with the number of waiting requests of the same address and decade, so that addresses take turns.
 */
export class TurnQueue<Entry extends Readonly<{ request: Waiting; rank: number }>> {
  readonly #entries: Entry[] = []

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Requests of the service itself come first. */
  rankOf({ cost, client }: Waiting, now: number): number {
    if (client === undefined) return 0
    const decade = costDecade(cost)
    const own = this.#entries.filter(
      ({ request }) =>
        request.client?.address === client.address && costDecade(request.cost) === decade,
    )
    const rank = now + (own.length + 1) * (delayMs[decade] ?? 0)
    return Math.max(rank, own.at(-1)?.rank ?? 0)
  }

  /** Returns the entries that would be before a new entry with this rank. */
  before(rank: number): readonly Entry[] {
    return this.#entries.slice(0, this.#indexOf(rank))
  }

  add(entry: Entry): void {
    this.#entries.splice(this.#indexOf(entry.rank), 0, entry)
  }

  shift(): Entry | undefined {
    return this.#entries.shift()
  }

  /** Returns false if the entry is no longer in the queue. */
  remove(entry: Entry): boolean {
    const at = this.#entries.indexOf(entry)
    if (at >= 0) this.#entries.splice(at, 1)
    return at >= 0
  }

  #indexOf(rank: number): number {
    return this.#entries.findLastIndex((entry) => entry.rank <= rank) + 1
  }
}
