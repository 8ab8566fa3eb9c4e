import { costs } from '../read/cost/cost-units.js'
import type { Index } from '../schema/index-list.js'
import { candidatesFor } from './candidates.js'
import type { Demand } from './demand.js'
import type { ReadCost, Spread } from './index-cost.js'
import { cheapest, costBy } from './index-cost.js'

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
  collection: string
  index: Index
  saved: number
  upkeep: number
  /** Number of requests for which this index is better than the existing ones. */
  requests: number
  serves: readonly ObservedDemand[]
}>

export type Weighing = Readonly<{
  collection: string
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
  const { collection, observed, existing, spread, writes, isPossible } = weighing
  const now = observed.map((it) => ({ it, cost: costNow(it, existing, spread) }))
  const mostExpensive = now
    .toSorted((a, b) => spent(b.it, b.cost) - spent(a.it, a.cost))
    .slice(0, mostWeighed)
  const demands = mostExpensive.map(({ it }) => it.demand)
  const frequent = mostExpensive.filter(({ it }) => it.isFrequent)
  const candidates = new Map(
    frequent
      .flatMap(({ it }) => candidatesFor(it.demand, demands))
      .filter((index) => !existing.some(({ name }) => name === index.name) && isPossible(index))
      .map((index) => [index.name, index]),
  )
  const upkeep = writes * upkeepOfWrite
  return [...candidates.values()]
    .map((index) => weigh(index))
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
    const requests = serves.reduce((sum, it) => sum + it.requests, 0)
    return { collection, index, saved, upkeep, requests, serves }
  }
}

/** Returns the cost of one request of a demand with the existing indexes. */
export function costNow(
  { demand, rows }: Pick<ObservedDemand, 'demand' | 'rows'>,
  existing: readonly Index[],
  spread: Spread,
): ReadCost {
  return cheapest([null, ...existing].map((index) => costBy(demand, index, { rows, spread })))
}

/** Returns the cost of all requests of a demand within about one day. */
export function spent(
  { requests, counted }: Pick<ObservedDemand, 'requests' | 'counted'>,
  { page, total }: ReadCost,
): number {
  return requests * page + counted * total
}

export const unitsOfMs = 100

/** Estimates the cost of building an index. */
export const costOfBuild = (entries: number): number => entries * 2 * costs.scanned
