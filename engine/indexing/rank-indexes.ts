import { costs } from '../read/cost/cost-units.js'
import type { Index } from '../schema/index-list.js'
import { candidatesFor } from './candidates.js'
import type { Demand } from './demand.js'
import type { ReadCost, Spread } from './index-cost.js'
import { cheapest, costBy } from './index-cost.js'

/** How often something is asked, of about the last day. */
export type NotedDemand = Readonly<{
  demand: Demand
  requests: number
  /** Of them those that asked for the total. */
  counted: number
  /** Entries of a page with those before it, on average. */
  rows: number
  /** Whether it is asked often enough, and long enough, for an index to be made because of it. */
  isFrequent: boolean
}>

/** An index that is worth more than it costs. In units of 10 µs of about a day. */
export type Advice = Readonly<{
  collection: string
  index: Index
  saved: number
  upkeep: number
  /** Requests that it serves better than what there is. */
  requests: number
  serves: readonly NotedDemand[]
}>

export type Weighing = Readonly<{
  collection: string
  /** Of this collection. */
  noted: readonly NotedDemand[]
  existing: readonly Index[]
  spread: Spread
  /** Of about a day. */
  writes: number
  /** Whether it may be made at all. */
  isPossible: (index: Index) => boolean
}>

/** What a write costs more with one index more. */
const upkeepOfWrite = 3
/** Savings have to be so many times what writes lose. */
const worth = 4
/** A read that it serves is this part of what it was, or less. */
const betterBy = 0.8
/** Demands that are weighed; the work goes with their third power. */
const mostWeighed = 24

/** Indexes that a collection should have beside those that there are, the best first. */
export function rankIndexes(weighing: Weighing): readonly Advice[] {
  const { collection, noted, existing, spread, writes, isPossible } = weighing
  const now = noted.map((it) => ({ it, cost: costNow(it, existing, spread) }))
  const dearest = now
    .toSorted((a, b) => spent(b.it, b.cost) - spent(a.it, a.cost))
    .slice(0, mostWeighed)
  const demands = dearest.map(({ it }) => it.demand)
  const frequent = dearest.filter(({ it }) => it.isFrequent)
  const candidates = new Map(
    frequent
      .flatMap(({ it }) => candidatesFor(it.demand, demands))
      .filter((index) => !existing.some(({ name }) => name === index.name) && isPossible(index))
      .map((index) => [index.name, index]),
  )
  const upkeep = writes * upkeepOfWrite
  return [...candidates.values()]
    .map((index) => weigh(index))
    .filter(({ saved, serves }) => serves.some((it) => it.isFrequent) && saved > worth * upkeep)
    .toSorted((a, b) => b.saved - a.saved || a.index.fields.length - b.index.fields.length)

  function weigh(index: Index): Advice {
    let saved = 0
    const serves: NotedDemand[] = []
    for (const { it, cost } of dearest) {
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

/** What a demand costs with the indexes that there are. */
export function costNow(
  { demand, rows }: Pick<NotedDemand, 'demand' | 'rows'>,
  existing: readonly Index[],
  spread: Spread,
): ReadCost {
  return cheapest([null, ...existing].map((index) => costBy(demand, index, { rows, spread })))
}

/** What all requests of a demand cost. */
export function spent(
  { requests, counted }: Pick<NotedDemand, 'requests' | 'counted'>,
  { page, total }: ReadCost,
): number {
  return requests * page + counted * total
}

/** Ten microseconds in a millisecond. */
export const unitsOfMs = 100

/** Of documents that are scanned once, to make an index of them. */
export const costOfBuild = (entries: number): number => entries * 2 * costs.scanned
