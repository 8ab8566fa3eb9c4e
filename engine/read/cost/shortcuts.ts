import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { fieldBytes, isIndexedByOthers } from './collection-facts.js'
import { assumed } from './cost-units.js'
import { accessTo, mayBeServed } from './index-use.js'
import { costOfEntry, isInOrder } from './list-cost.js'
import type { Condition, ReadPlan, Shortcuts } from '../plan/read-plan.js'
import { costOfIndexScan, shareOf } from './index-scan-cost.js'

/** Minimum cost of a scan, in units of 10 µs, for which a shortcut is worthwhile. */
const worthwhile = 100

/**
 * For every list of a localized type, the database scans the index of the locale and fetches each entry. A scan in
 * storage order takes 0.4 to 0.7 of the time for the same number of entries. So it is faster if at least this share of
 * the entries is in the requested locales.
 */
const mostEntries = 0.7

/** Maximum number of entries that the database holds in memory at once, including those before the page. */
const maxHeld = 1000
/** Maximum number of bytes of the sort values of these entries. The database has 100 MB for them. */
const maxHeldBytes = 1_000_000

/**
 * Returns ways to save scans of a list's collection. They depend on the known indexes (`CollectionFacts`): an index
 * that may serve the filter is never bypassed.
 */
export function shortcutsOf(
  plan: Pick<ReadPlan, 'collection' | 'match' | 'chain' | 'sort' | 'skip' | 'limit' | 'pagination'>,
  factsOf: FactsOf,
): Shortcuts | undefined {
  const { match, sort, pagination } = plan
  const facts = factsOf(plan.collection)
  const access = accessTo(match, facts, factsOf)
  const all = access.entries * costOfEntry(match, facts)
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
 * Whether a condition excludes values, so that most entries match. A page in the order of an index is then soon full.
 * Finding page and total together would sort all matches, which takes 1.5 times as long as counting them.
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
  const bytes = sort.reduce((sum, { through, path }) => {
    const own = through.length === 0 ? fieldBytes(facts, path) : undefined
    return sum + (own ?? assumed.textBytes)
  }, 0)
  return skip + limit <= maxHeld && (skip + limit) * bytes <= maxHeldBytes
}
