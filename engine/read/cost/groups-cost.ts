import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { assumed, costs } from './cost-units.js'
import { accessTo } from './index-use.js'
import { costOfEntry, costOfLinks, costOfPreparing } from './list-cost.js'
import type { GroupKeyPlan, GroupsPlan, Link, ReadPlan, SortStep } from '../plan/read-plan.js'

type Grouping = Pick<ReadPlan, 'collection' | 'match' | 'chain' | 'limit'>

/**
 * Estimates the cost of grouping all matching entries, whichever page is requested.
 * @returns the estimated bytes of the groups in the response
 */
export function costOfGroups(
  { collection, match, chain, limit }: Grouping,
  { keys, measures }: GroupsPlan,
  factsOf: FactsOf,
  add: (part: string, cost: number) => void,
): number {
  const facts = factsOf(collection)
  const found = accessTo(match, facts, factsOf).entries
  const values = keys.length + measures.length + 1
  const seen = chain === undefined ? 0 : costs.compared
  add('entries', costs.command + found * (costOfEntry(match, facts) + seen))
  add('groups', found * values * costs.grouped)
  for (const [path, steps] of waysOf(keys))
    add(`groupBy ${path}`, costOfWay(steps, found, facts, factsOf))
  add('filters through relations', costOfLinks(match, factsOf))
  add('filters', costOfPreparing(match))
  return limit * values * assumed.groupBytes
}

function waysOf(keys: readonly GroupKeyPlan[]): ReadonlyMap<string, readonly SortStep[]> {
  const through = keys.filter((key) => key.through.length > 0).map((key) => key.through)
  return new Map(through.map((steps) => [steps.map(pathOf).join(' → '), steps]))
}

const pathOf = (step: SortStep): string => (step.kind === 'list' ? step.path : step.link.path)

/**
 * Estimates the cost of a path. In a to-one relation, equal references are looked up once. In other relations, each
 * entry looks up its targets.
 */
function costOfWay(
  steps: readonly SortStep[],
  found: number,
  facts: CollectionFacts,
  factsOf: FactsOf,
): number {
  let rows = found
  let cost = 0
  for (const [depth, step] of steps.entries()) {
    if (step.kind === 'list') {
      if (steps.length > depth + 1) cost += rows * costs.lookedUp
      continue
    }
    const { link } = step
    const { entries } = factsOf(link.collection)
    if (depth === 0 && isShared(link) && entries > 0) rows = Math.min(rows, entries)
    cost += costs.link + rows * costs.lookedUp
    if (link.many) rows *= fanOut(link, entries, facts)
  }
  return cost
}

const isShared = ({ stored, many }: Link): boolean => stored === 'here' && !many

const fanOut = ({ stored }: Link, targets: number, { entries }: CollectionFacts): number =>
  stored === 'there' && entries > 0 && targets > 0 ? Math.max(1, targets / entries) : assumed.fanOut
