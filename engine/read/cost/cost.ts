import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { nothingKnown } from './collection-facts.js'
import { costs, unitMs } from './cost-units.js'
import { costOfGroups } from './groups-cost.js'
import { costOfNode, costOfShown } from './populate-cost.js'
import type { ReadPlan } from '../plan/read-plan.js'
import { costOfSearch, costOfPreparing } from './list-cost.js'

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
 * Estimates the work of a read, in all processes together, in units of about 10 µs. The cost decides whether a plan
 * runs on the main thread or in the pool, and whether it is rejected.
 * @param report called for each part of the cost
 */
export function costOf(
  plan: Estimated,
  factsOf: FactsOf = nothingKnown,
  report: (part: CostPart) => void = () => undefined,
): Pick<ReadPlan, 'cost' | 'totalCost' | 'answerBytes'> {
  const { cost, totalCost, answerBytes } = estimate(plan, factsOf, report)
  return { cost, totalCost, answerBytes }
}

/** Estimates the minimum duration in ms, without populated entries, which other settings limit. */
export function leastTime(plan: Estimated, factsOf: FactsOf): number {
  return estimate(plan, (collection) => leastFacts(factsOf(collection))).least * unitMs
}

/** Assumes that a collection of unknown size is small, and that no document is read from disk. */
const leastFacts = ({ entries, sample, ...facts }: CollectionFacts): CollectionFacts => ({
  ...facts,
  entries: entries === 0 ? 1 : entries,
  sample: sample && { ...sample, bytes: 0 },
})

function estimate(
  plan: Estimated,
  factsOf: FactsOf,
  report: (part: CostPart) => void = () => undefined,
): ReturnType<typeof costOf> & Readonly<{ least: number }> {
  let cost = 0
  let least = 0
  const add = (part: string, more: number, sure = more): void => {
    cost += more
    least += sure
    if (more > 0) report({ part, cost: Math.round(more) })
  }
  const { groups } = plan
  if (groups !== undefined) {
    const bytes = Math.min(costOfGroups(plan, groups, factsOf, add), plan.maxAnswerBytes)
    add('answer', bytes * costs.answerByte)
    return { cost, least, totalCost: 0, answerBytes: bytes }
  }
  const facts = factsOf(plan.collection)
  const search = costOfSearch(plan, factsOf)
  // If nothing is known about the collection, assume a full page.
  const rows = facts.entries === 0 ? plan.limit : Math.min(plan.limit, Math.ceil(search.found))
  const links = plan.sort.reduce((sum, { through }) => sum + through.length, 0)
  const shown = rows * costOfShown(plan.node, facts)
  add('page', shown + search.page + links * costs.link, search.least)
  add('total', search.total, 0)
  add('filters through relations', search.relations)
  add('filters', costOfPreparing(plan.match))
  const { maxPopulatedEntries } = plan
  const bytes = costOfNode(
    plan.node,
    { count: rows, facts },
    {
      factsOf,
      maxPopulatedEntries,
      met: new Map(),
      add: (part, once, each) => void add(part, once + each, once),
    },
  )
  const answerBytes = Math.min(rows * bytes, plan.maxAnswerBytes)
  add('answer', answerBytes * costs.answerByte, 0)
  return { cost, least, totalCost: search.total, answerBytes }
}

/** Returns the parts of a plan's cost, the most expensive first. */
export function costParts(plan: Estimated, factsOf: FactsOf = nothingKnown): readonly CostPart[] {
  const parts: CostPart[] = []
  costOf(plan, factsOf, (part) => parts.push(part))
  return parts.toSorted((a, b) => b.cost - a.cost)
}
