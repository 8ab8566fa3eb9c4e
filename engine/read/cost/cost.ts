import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { nothingKnown } from './collection-facts.js'
import { costs, unitMs } from './cost-units.js'
import { costOfGroups } from './groups-cost.js'
import { bytesOf, costOfPopulate, costOfShown } from './populate-cost.js'
import type { ReadPlan } from '../plan/read-plan.js'
import { costOfPreparing, costOfSearch } from './list-cost.js'

/** The cost of one part of a plan, such as `page`, `total`, `filters` or `populate tags.articles`. */
export type CostPart = Readonly<{ part: string; cost: number }>

type Estimated = Pick<
  ReadPlan,
  | 'collection'
  | 'match'
  | 'chain'
  | 'sort'
  | 'skip'
  | 'limit'
  | 'pagination'
  | 'shortcuts'
  | 'node'
  | 'groups'
  | 'maxPopulatedEntries'
  | 'maxAnswerBytes'
>

/**
 * `least`: the minimum of `cost`. It excludes populated entries and the bytes of the response, because other settings
 * limit these. `found`: the expected number of entries on all pages.
 */
type Estimate = Pick<ReadPlan, 'cost' | 'totalCost' | 'answerBytes'> &
  Readonly<{ least: number; found: number }>

/** Adds the cost of a part. `least`: the minimum of the cost. */
type Add = (part: string, cost: number, least?: number) => void

/**
 * Estimates the work of a read, in all processes together, in units of about 10 µs. The cost decides whether a plan
 * runs on the main thread or in the pool, and whether it is rejected.
 * @param report called for each part of the cost
 */
export function costOf(
  plan: Estimated,
  factsOf: FactsOf = nothingKnown,
  report: (part: CostPart) => void = () => undefined,
): Estimate {
  let cost = 0
  let least = 0
  const add: Add = (part, more, sure = more) => {
    cost += more
    least += sure
    if (more > 0) report({ part, cost: Math.round(more) })
  }
  const { totalCost, found, bytes } =
    plan.groups === undefined
      ? costOfList(plan, factsOf, add)
      : { totalCost: 0, ...costOfGroups(plan, plan.groups, factsOf, add) }
  const answerBytes = Math.min(bytes, plan.maxAnswerBytes)
  add('filters', costOfPreparing(plan.match, factsOf))
  add('answer', answerBytes * costs.answerByte, 0)
  return { cost, least, totalCost, answerBytes, found }
}

/** Returns the parts of a plan's cost, the most expensive first. */
export function costParts(plan: Estimated, factsOf?: FactsOf): readonly CostPart[] {
  const parts: CostPart[] = []
  costOf(plan, factsOf, (part) => parts.push(part))
  return parts.toSorted((a, b) => b.cost - a.cost)
}

function costOfList(
  plan: Estimated,
  factsOf: FactsOf,
  add: Add,
): Readonly<{ totalCost: number; found: number; bytes: number }> {
  const { node, limit, maxPopulatedEntries } = plan
  const facts = factsOf(plan.collection)
  const { page, total, found, least } = costOfSearch(plan, factsOf)
  // If nothing is known about the collection, assume a full page.
  const count = facts.entries === 0 ? limit : Math.min(limit, Math.ceil(found))
  const own = bytesOf(node, facts)
  add('page', count * costOfShown(own) + page, least)
  add('total', total, 0)
  const populated = costOfPopulate(
    node,
    { count, facts },
    {
      factsOf,
      maxPopulatedEntries,
      met: new Map(),
      add: (part, once, entries) => add(part, once + entries, once),
    },
  )
  return { totalCost: total, found, bytes: count * (own + populated) }
}

/** Estimates the minimum duration in ms, without populated entries and bytes, because other settings limit these. */
export function leastTime(plan: Estimated, factsOf: FactsOf): number {
  return costOf(plan, (collection) => leastFacts(factsOf(collection))).least * unitMs
}

/** Assumes that a collection of unknown size is small, and that no document is read from disk. */
const leastFacts = ({ entries, sample, ...facts }: CollectionFacts): CollectionFacts => ({
  ...facts,
  entries: entries === 0 ? 1 : entries,
  sample: sample && { ...sample, bytes: 0 },
})

/** On the main thread, or in a thread of the pool. */
export type ExecutionMode = 'inline' | 'pool'

/** Chooses the pool for plans that cost at least `pool.costThreshold`. */
export function executionModeOf(cost: number, costThreshold: number): ExecutionMode {
  return cost < costThreshold ? 'inline' : 'pool'
}
