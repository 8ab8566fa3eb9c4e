import { costs } from '../read/cost/cost-units.js'
import type { Index } from '../schema/index-list.js'
import { uniqueByName } from '../schema/index-list.js'
import { candidatesFor } from './candidates.js'
import type { Demand } from './demand.js'
import type { ReadCost, Spread } from './index-cost.js'
import { cheapest, costBy } from './index-cost.js'

export { unitMs } from '../read/cost/cost-units.js'

/** A demand, and its frequency within about the last day. */
export type ObservedDemand = Readonly<{
  demand: Demand
  requests: number
  /** Number of requests that also need the total. */
  counted: number
  /** Average number of entries from the start of the list to the end of the requested page. */
  rows: number
  /** Whether the demand is frequent enough for an index, and has been so for long enough. */
  isFrequent: boolean
}>

/** A recommended index. `saved` and `upkeep` are in units of 10 µs, over about one day. */
export type Advice = Readonly<{
  index: Index
  saved: number
  upkeep: number
  /** The demands for which this index is better than the existing ones. */
  serves: readonly ObservedDemand[]
}>

export type Weighing = Readonly<{
  /** Demands on one collection. */
  observed: readonly ObservedDemand[]
  existing: readonly Index[]
  spread: Spread
  /** Number of writes to the collection within about one day. */
  writes: number
  isPossible: (index: Index) => boolean
}>

/** Cost that one additional index adds to each write, in units of 10 µs. */
const upkeepOfWrite = 3
/** Minimum ratio of what an index saves to what it costs for writes. */
const benefit = 4
/** An index only serves a demand if it reduces the cost of a request to this share or less. */
const betterBy = 0.8
/** Maximum number of compared demands. The time grows with the third power of this number. */
const mostWeighed = 24

/** Returns indexes worth adding to those of a collection, the best first. */
export function rankIndexes(weighing: Weighing): readonly Advice[] {
  const { observed, existing, spread, writes, isPossible } = weighing
  const mostExpensive = observed
    .map((it) => ({ it, cost: costNow(it, existing, spread) }))
    .toSorted((a, b) => spent(b.it, b.cost) - spent(a.it, a.cost))
    .slice(0, mostWeighed)
  const demands = mostExpensive.map(({ it }) => it.demand)
  const frequent = mostExpensive.filter(({ it }) => it.isFrequent)
  const upkeep = writes * upkeepOfWrite
  return uniqueByName(frequent.flatMap(({ it }) => candidatesFor(it.demand, demands)))
    .filter((index) => !existing.some(({ name }) => name === index.name) && isPossible(index))
    .map(weigh)
    .filter(({ saved, serves }) => serves.some((it) => it.isFrequent) && saved > benefit * upkeep)
    .toSorted((a, b) => b.saved - a.saved || a.index.fields.length - b.index.fields.length)

  function weigh(index: Index): Advice {
    let saved = 0
    const serves: ObservedDemand[] = []
    for (const { it, cost } of mostExpensive) {
      const by = costBy(it.demand, index, { rows: it.rows, spread })
      const before = spent(it, cost)
      const after = spent(it, cheapest([cost, by]))
      if (after > before * betterBy) continue
      saved += before - after
      serves.push(it)
    }
    return { index, saved, upkeep, serves }
  }
}

/** Returns the cost of all requests of a demand within about one day, with the existing indexes. */
export function spentNow(it: ObservedDemand, existing: readonly Index[], spread: Spread): number {
  return spent(it, costNow(it, existing, spread))
}

function costNow(
  { demand, rows }: ObservedDemand,
  existing: readonly Index[],
  spread: Spread,
): ReadCost {
  return cheapest([null, ...existing].map((index) => costBy(demand, index, { rows, spread })))
}

const spent = ({ requests, counted }: ObservedDemand, { page, total }: ReadCost): number =>
  requests * page + counted * total

/** Estimates the cost of building an index. */
export const costOfBuild = (entries: number): number => entries * 2 * costs.scanned
