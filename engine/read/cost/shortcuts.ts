import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { fieldBytes, isIndexedByOthers } from './collection-facts.js'
import { accessTo, mayBeServed } from './index-use.js'
import { costOfEntry, isInOrder } from './list-cost.js'
import type { Condition, ReadPlan, Shortcuts } from '../plan/read-plan.js'
import { costOfIndexScan, shareOf } from './index-scan-cost.js'

/** Minimum cost of a scan, in units of 10 µs, for which a shortcut is worthwhile. */
const worthwhile = 100

/**
 * Minimum share of the entries in the requested locales for which a scan in storage order is faster than the index of
 * the locale. To read the same number of entries, the scan takes 0.4 to 0.7 of the index's time.
 */
const mostEntries = 0.7

/** Maximum number of entries that are sorted in memory, including those before the page. */
const maxHeld = 1000
/** Maximum bytes of the sort values in memory. The database has 100 MB for them. */
const maxHeldBytes = 1_000_000

/** Returns shortcuts for scans of a collection. They must not bypass an index that may serve the filter. */
export function shortcutsOf(
  plan: Pick<ReadPlan, 'collection' | 'match' | 'chain' | 'sort' | 'skip' | 'limit' | 'pagination'>,
  factsOf: FactsOf,
): Shortcuts | undefined {
  const { match, sort, pagination } = plan
  const facts = factsOf(plan.collection)
  const access = accessTo(match, facts, factsOf)
  const all = access.entries * costOfEntry(match, facts, false)
  if (all < worthwhile) return undefined
  const isScan = access.by === 'scan' && !mayBeServed(match, facts)
  const isOfMost = shareOf(match, facts) >= mostEntries
  const isCounted = pagination?.total === 'count'
  const [first] = sort
  const isOrdered =
    isInOrder(first, match, facts.indexes) ||
    (first !== undefined && isIndexedByOthers(first.path, facts))
  const scan = access.by === 'all' ? costOfIndexScan(plan, factsOf) : null
  const byTarget = scan !== null && scan < all
  const natural = {
    page: isOfMost && !byTarget && !isOrdered && (isScan || access.by === 'all'),
    total: isOfMost && isScan && isCounted,
  }
  const endsEarly = isOrdered && isTrueOfMost(match)
  const together = isScan && isCounted && !endsEarly && canBeHeld(plan, facts)
  if (!together && !byTarget && !natural.page && !natural.total) return undefined
  return {
    ...(together ? { together } : {}),
    ...(byTarget ? { byTarget } : {}),
    ...(natural.page || natural.total ? { natural } : {}),
  }
}

/**
 * Whether a condition only excludes values, so that most entries match. A page in the order of an index is then soon
 * full, and one command for page and total would be slower: sorting all matches takes 1.5 times as long as counting
 * them.
 */
function isTrueOfMost(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.of.every(isTrueOfMost)
    case 'any':
      return condition.of.some(isTrueOfMost)
    case 'test': {
      const { path, test } = condition
      if (path === 'locale' || ['notIn', 'notNull', 'notBetween'].includes(test.op)) return true
      return (test.op === 'match' || test.op === 'at') && test.negated
    }
    case 'none':
      return true
    case 'element':
    case 'related':
    case 'modified':
      return false
  }
}

function canBeHeld(
  { sort, skip, limit }: Pick<ReadPlan, 'sort' | 'skip' | 'limit'>,
  facts: CollectionFacts,
): boolean {
  const bytes = sort.reduce((sum, { path }) => sum + fieldBytes(facts, path), 0)
  return skip + limit <= maxHeld && (skip + limit) * bytes <= maxHeldBytes
}
