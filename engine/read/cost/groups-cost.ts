import type { FactsOf } from './collection-facts.js'
import { assumed, costs } from './cost-units.js'
import { accessTo } from './index-use.js'
import { costOfEntry } from './list-cost.js'
import type { GroupKeyPlan, GroupsPlan, ReadPlan, SortStep } from '../plan/read-plan.js'

type Grouping = Pick<ReadPlan, 'collection' | 'match' | 'chain' | 'limit'>

/**
 * Estimates the cost of grouping all matching entries, whichever page is requested.
 * @returns the estimated number of entries, and the bytes of the groups in the response
 */
export function costOfGroups(
  { collection, match, chain, limit }: Grouping,
  { keys, measures }: GroupsPlan,
  factsOf: FactsOf,
  add: (part: string, cost: number) => void,
): Readonly<{ found: number; bytes: number }> {
  const facts = factsOf(collection)
  const found = accessTo(match, facts, factsOf).entries
  const values = keys.length + measures.length + 1
  add('entries', costs.command + found * costOfEntry(match, facts, chain !== undefined))
  add('groups', found * values * costs.grouped)
  for (const [path, steps] of relationsOf(keys))
    add(`groupBy ${path}`, costOfRelation(steps, found, factsOf))
  return { found, bytes: limit * values * assumed.groupBytes }
}

/** Returns the relations of the keys by their paths. Keys of the same relation share its cost. */
function relationsOf(keys: readonly GroupKeyPlan[]): ReadonlyMap<string, readonly SortStep[]> {
  const through = keys.filter((key) => key.through.length > 0).map((key) => key.through)
  return new Map(through.map((steps) => [steps.map(pathOf).join(' → '), steps]))
}

const pathOf = (step: SortStep): string => (step.kind === 'list' ? step.path : step.link.path)

/** In a to-one relation, equal references are looked up once. In other relations, each entry looks up its targets. */
function costOfRelation(steps: readonly SortStep[], found: number, factsOf: FactsOf): number {
  let rows = found
  let cost = 0
  for (const [depth, step] of steps.entries()) {
    if (step.kind === 'list') continue
    const { collection, stored, many } = step.link
    const { entries } = factsOf(collection)
    if (depth === 0 && stored === 'here' && !many && entries > 0) rows = Math.min(rows, entries)
    cost += costs.link + rows * costs.lookedUp
    if (many) rows *= assumed.fanOut
  }
  return cost
}
