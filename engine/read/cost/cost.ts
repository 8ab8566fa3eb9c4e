import type { FactsOf } from './collection-facts.js'
import { nothingKnown } from './collection-facts.js'
import { costs } from './cost-units.js'
import { costOfGroups } from './groups-cost.js'
import { costOfNode, costOfShown } from './populate-cost.js'
import type { ReadPlan } from '../plan/read-plan.js'
import { costOfSearch, costOfStating } from './list-cost.js'

/** What one part of a plan costs: `page`, `total`, `filter`, `populate tags.articles`. */
export type CostPart = Readonly<{ part: string; cost: number }>

type Estimated = Pick<
  ReadPlan,
  | 'collection'
  | 'match'
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
 * An estimate of the work of a read, wherever it is done, in units of about 10 µs: what has to be gone through to
 * find and count its entries, the entries that are read and the bytes that are written. It decides whether a plan
 * runs on the main thread or in the pool, and whether it runs at all. `report` is told of what it is made.
 */
export function costOf(
  plan: Estimated,
  factsOf: FactsOf = nothingKnown,
  report: (part: CostPart) => void = () => undefined,
): Pick<ReadPlan, 'cost' | 'totalCost' | 'answerBytes'> {
  let cost = 0
  const add = (part: string, more: number): void => {
    cost += more
    if (more > 0) report({ part, cost: Math.round(more) })
  }
  const { groups } = plan
  if (groups !== undefined) {
    const bytes = Math.min(costOfGroups(plan, groups, factsOf, add), plan.maxAnswerBytes)
    add('answer', bytes * costs.answerByte)
    return { cost, totalCost: 0, answerBytes: bytes }
  }
  const facts = factsOf(plan.collection)
  const search = costOfSearch(plan, factsOf)
  // Of a collection of which nothing is known the page is taken to be full.
  const rows = facts.entries === 0 ? plan.limit : Math.min(plan.limit, Math.ceil(search.found))
  const links = plan.sort.reduce((sum, { through }) => sum + through.length, 0)
  add('page', rows * costOfShown(plan.node, facts) + search.page + links * costs.link)
  add('total', search.total)
  add('filters through relations', search.relations)
  add('filters', costOfStating(plan.match))
  const { maxPopulatedEntries } = plan
  const bytes = costOfNode(
    plan.node,
    { count: rows, facts },
    {
      ...{ factsOf, maxPopulatedEntries, met: new Map() },
      add: (part, once, each) => void add(part, once + each),
    },
  )
  const answerBytes = Math.min(rows * bytes, plan.maxAnswerBytes)
  add('answer', answerBytes * costs.answerByte)
  return { cost, totalCost: search.total, answerBytes }
}

/** What a plan's cost is made of, dearest first. */
export function costParts(plan: Estimated, factsOf: FactsOf = nothingKnown): readonly CostPart[] {
  const parts: CostPart[] = []
  costOf(plan, factsOf, (part) => parts.push(part))
  return parts.toSorted((a, b) => b.cost - a.cost)
}
