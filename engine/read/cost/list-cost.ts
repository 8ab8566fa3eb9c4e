import { sumOver } from '../plan/condition-tree.js'
import { canBeRanked } from '../plan/bound-query.js'
import type { CollectionFacts, FactsOf, IndexFacts } from './collection-facts.js'
import { fieldBytes, markedEntries } from './collection-facts.js'
import { costs, memoryBytes } from './cost-units.js'
import { accessTo } from './index-use.js'
import { maxRanked } from './ids-or-lookup.js'
import type { Condition, ReadPlan, SortKey } from '../plan/read-plan.js'
import type { Test } from '../../values/value-test.js'
import { isComputed } from '../../values/value-test.js'
import { costOfIndexScan } from './index-scan-cost.js'

type Searching = Pick<
  ReadPlan,
  'collection' | 'match' | 'chain' | 'sort' | 'skip' | 'limit' | 'pagination' | 'shortcuts'
>

/** The cost of finding the entries of a list. `found` is the expected number of entries on all pages. */
type SearchCost = Readonly<{
  page: number
  total: number
  found: number
  /**
   * Minimum cost of the page and the total, which are read concurrently. A page that may be full after a few entries
   * counts as 0.
   */
  least: number
}>

/** Estimates the cost of finding the entries of a list, without `costOfPreparing`. */
export function costOfSearch(plan: Searching, factsOf: FactsOf): SearchCost {
  const { match, sort, skip, limit } = plan
  const facts = factsOf(plan.collection)
  const { by, entries: found, isTested } = accessTo(match, facts, factsOf)
  const each = costOfEntry(match, facts, false)
  const scan = found * each
  const compared = plan.chain === undefined ? 0 : costs.compared
  // If one command finds the page and the total, the total costs nothing extra, so a cached total saves nothing.
  const isTogether = plan.shortcuts?.together === true
  const isCounted = plan.pagination?.total === 'count' && !isTogether
  const total = isCounted ? found * ((by === 'all' ? costs.passed : each) + compared) : 0
  const isOrdered =
    isInOrder(sort[0], match, facts.indexes) && sort.every(({ through }) => through.length === 0)
  // If the entries need no test, those before the page are only skipped in the index.
  const inOrder = isTested ? scan : Math.min(skip, found) * costs.passed
  const byTarget = plan.shortcuts?.byTarget === true ? costOfIndexScan(plan, factsOf) : null
  const sorting = costOfTargets(sort, found, factsOf)
  // Versions in fallback locales are compared after the sort until the page is full. But if the command also counts, or
  // if the sort has lookups, they are compared for every match.
  const isEachCompared = isTogether || sorting.looksUp
  const versions = isEachCompared ? found : Math.min(found, skip + limit)
  const page = (isOrdered ? inOrder : (byTarget ?? scan + sorting.cost)) + versions * compared
  // A total without tests is cached or counted in an index.
  const counted = isTested ? total : 0
  return { page, total, found, least: isOrdered && !isTogether ? counted : page }
}

/**
 * Estimates the cost of sorting entries through relations, in addition to finding the entries.
 * @returns `looksUp`: whether each entry looks up its targets, because these cannot be sorted in advance, or are too
 *   many
 */
function costOfTargets(
  sort: readonly SortKey[],
  found: number,
  factsOf: FactsOf,
): Readonly<{ cost: number; looksUp: boolean }> {
  const most = maxRanked(sort, found)
  let cost = 0
  let looksUp = false
  for (const { through } of sort) {
    const links = through.flatMap((step) => (step.kind === 'link' ? [step.link] : []))
    const targets = links.map(({ collection }) => factsOf(collection).entries)
    const isRanked = links.every(canBeRanked) && targets.every((entries) => entries <= most)
    const ranked = targets.reduce((sum, entries) => sum + entries * costs.ranked, 0)
    cost += links.length * costs.link + (isRanked ? ranked : found * costs.lookedUp)
    looksUp ||= !isRanked
  }
  return { cost, looksUp }
}

/**
 * Estimates the cost of fetching an entry and testing it.
 * @param compares whether the entry is compared with the versions of its document in fallback locales
 */
export function costOfEntry(
  condition: Condition,
  facts: CollectionFacts,
  compares: boolean,
): number {
  const bytes = facts.sample?.bytes ?? 0
  const fromDisk = facts.entries * bytes > memoryBytes ? bytes * costs.scannedByte : 0
  const tests = costOfTests(condition, (path) => fieldBytes(facts, path))
  return costs.scanned + fromDisk + tests + (compares ? costs.compared : 0)
}

/** Estimates what a condition costs once: compiling regular expressions, and reading the targets of its relations. */
export function costOfPreparing(condition: Condition, factsOf: FactsOf): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'test') return textsIn(leaf.test) * costs.statedText
    if (leaf.kind === 'modified')
      return costs.link + markedEntries(factsOf(leaf.drafts)) * costs.compared
    const { link, of, orNone } = leaf
    const facts = factsOf(link.collection)
    // To find entries without a target, the keys of all targets are read.
    const read = orNone ? facts.entries : accessTo(of, facts, factsOf).entries
    const each = costOfEntry(of, facts, link.locale.kind === 'first')
    return costs.link + read * each + costOfPreparing(of, factsOf)
  })
}

/** Estimates the cost of testing a fetched entry: each searched text is a regular expression over the whole value. */
export function costOfTests(condition: Condition, bytesAt: (path: string) => number): number {
  return sumOver(condition, (leaf, within) => {
    if (leaf.kind !== 'test') return costs.tested
    const { path, test } = leaf
    // Testing the locale is free, because indexes begin with it.
    if (path === 'locale') return 0
    const texts = textsIn(test)
    const searched = texts === 0 ? 0 : texts * bytesAt(within + path) * costs.searchedByte
    return Math.max(1, texts) * costs.tested + searched + (isComputed(test) ? costs.computed : 0)
  })
}

function textsIn(test: Test): number {
  const of = test.op === 'at' ? test.of : test
  return of.op === 'match' ? of.texts.length : 0
}

/**
 * Whether an index yields the entries in the order of a sort key. All matches must have the same value in each field
 * that precedes the key in the index.
 */
export function isInOrder(
  key: SortKey | undefined,
  match: Condition,
  indexes: readonly IndexFacts[],
): boolean {
  if (key === undefined) return true
  if (key.through.length > 0) return false
  if (key.path === '_id' || key.path === 'documentId') return true
  return indexes.some(({ fields, isWhole }) => {
    const place = fields.indexOf(key.path)
    return isWhole && place >= 0 && fields.slice(0, place).every((path) => isEqual(path, match))
  })
}

/** Whether all matches have the same value at a path. */
function isEqual(path: string, condition: Condition): boolean {
  if (condition.kind === 'all') return condition.of.some((member) => isEqual(path, member))
  if (condition.kind !== 'test' || condition.path !== path) return false
  const { test } = condition
  return test.op === 'null' || (test.op === 'in' && test.values.length === 1)
}
