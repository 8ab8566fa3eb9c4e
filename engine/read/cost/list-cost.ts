import { sumOver } from '../plan/condition-tree.js'
import { canBeRanked } from '../plan/bound-query.js'
import type { CollectionFacts, FactsOf, IndexFacts } from './collection-facts.js'
import { fieldBytes, markedEntries } from './collection-facts.js'
import { costs, memoryBytes, assumed } from './cost-units.js'
import type { Access } from './index-use.js'
import { accessTo } from './index-use.js'
import { maxRanked } from './ids-or-lookup.js'
import type { Condition, Link, ReadPlan, SortKey } from '../plan/read-plan.js'
import type { Test } from '../../values/value-test.js'
import { costOfIndexScan } from './index-scan-cost.js'

type Searching = Pick<
  ReadPlan,
  'collection' | 'match' | 'chain' | 'sort' | 'skip' | 'limit' | 'pagination' | 'shortcuts'
>

/** The cost of finding the entries of a list. `found` is the expected number of entries on all pages. */
type SearchCost = Readonly<{
  page: number
  total: number
  relations: number
  found: number
  /**
   * Minimum cost of the page and the total, which are read concurrently. A page that may be full after a few entries
   * counts as 0.
   */
  least: number
}>

/** Estimates the cost of finding the entries of a list. */
export function costOfSearch(plan: Searching, factsOf: FactsOf): SearchCost {
  const facts = factsOf(plan.collection)
  const access = accessTo(plan.match, facts, factsOf)
  // If one command finds the page and the total, the total costs nothing extra, so a cached total saves nothing.
  const isTogether = plan.shortcuts?.together === true
  const isCounted = plan.pagination?.total === 'count' && !isTogether
  const each = plan.chain === undefined ? 0 : costs.compared
  // With fallback locales, the database compares each scanned entry with the other versions of its document.
  const scanned = isTogether ? access.entries : Math.min(access.entries, plan.skip + plan.limit)
  const page = costOfPage(access, plan, facts, factsOf) + scanned * each
  const total = isCounted ? costOfCount(access, plan.match, facts) + access.entries * each : 0
  const mayEndEarly = !isTogether && isInOrder(plan.sort[0], plan.match, facts.indexes)
  // A total without tests is cached or counted in an index.
  const counted = access.isTested ? total : 0
  return {
    page,
    total,
    found: access.entries,
    least: mayEndEarly ? counted : page,
    relations: costOfLinks(plan.match, factsOf),
  }
}

/** Estimates the number of entries in a list, on all pages. */
export function entriesFound(
  { collection, match }: Pick<Searching, 'collection' | 'match'>,
  factsOf: FactsOf,
): number {
  return accessTo(match, factsOf(collection), factsOf).entries
}

function costOfPage(
  access: Access,
  plan: Searching,
  facts: CollectionFacts,
  factsOf: FactsOf,
): number {
  const { match, sort, skip } = plan
  const found = access.entries
  const each = costOfEntry(match, facts)
  const through = sort.filter((key) => key.through.length > 0)
  if (through.length > 0) {
    if (plan.shortcuts?.byTarget === true) return costOfIndexScan(plan, factsOf) ?? 0
    const most = maxRanked(sort, () => found)
    return sum(through.map((key) => costOfValues(key, found, each, most, factsOf)))
  }
  if (!isInOrder(sort[0], match, facts.indexes)) return found * each
  // If the entries need no test, those before the page are only skipped in the index.
  return access.isTested ? found * each : Math.min(skip, found) * costs.passed
}

function costOfValues(
  { through }: SortKey,
  found: number,
  each: number,
  most: number,
  factsOf: FactsOf,
): number {
  const links = through.flatMap((step) => (step.kind === 'link' ? [step.link] : []))
  const targets = links.map(({ collection }) => factsOf(collection).entries)
  const isRanked = links.every(canBeRanked) && targets.every((entries) => entries <= most)
  if (!isRanked) return found * costs.lookedUp
  return found * each + sum(targets) * costs.ranked
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

function costOfCount(access: Access, match: Condition, facts: CollectionFacts): number {
  return access.entries * (access.by === 'all' ? costs.passed : costOfEntry(match, facts))
}

/** Estimates the cost of fetching an entry and testing it. */
export function costOfEntry(condition: Condition, facts: CollectionFacts): number {
  const bytes = facts.sample?.bytes ?? 0
  const fromDisk = facts.entries * bytes > memoryBytes ? bytes * costs.scannedByte : 0
  // The cost of fetching includes one test.
  const bytesAt = (path: string) => fieldBytes(facts, path) ?? assumed.textBytes
  const tests = Math.max(0, costOfTests(condition, bytesAt) - costs.tested)
  return costs.scanned + fromDisk + tests
}

/** Estimates the cost of a condition's relations. Each relation reads the collection of its targets. */
export function costOfLinks(condition: Condition, factsOf: FactsOf): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'test') return 0
    if (leaf.kind === 'modified') return costs.link + costOfModified(leaf, factsOf)
    const { link, of, orNone } = leaf
    const facts = factsOf(link.collection)
    const countCost = costOfCount(accessTo(of, facts, factsOf), of, facts)
    // To find entries without a target, the keys of all targets are read.
    const none = orNone ? facts.entries * costs.scanned : 0
    const seen = costOfFallback(link, accessTo(of, facts, factsOf).entries)
    return costs.link + countCost + none + seen + costOfLinks(of, factsOf)
  })
}

/** Only fallback locales need lookups of the targets. */
export const costOfFallback = ({ locale }: Link, targets: number): number =>
  locale.kind === 'first' ? targets * costs.compared : 0

/** Estimates the cost of comparing each draft that is marked as modified with its published version. */
function costOfModified(
  { link, drafts }: Extract<Condition, { kind: 'modified' }>,
  factsOf: FactsOf,
): number {
  const { entries } = factsOf(link.collection)
  return markedEntries(factsOf(drafts), entries) * costs.compared
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

/** Estimates the cost of testing a fetched entry: each searched string is a regular expression over the whole value. */
export function costOfTests(condition: Condition, bytesAt: (path: string) => number): number {
  return sumOver(condition, (leaf, within) => {
    if (leaf.kind !== 'test') return costs.tested
    // Testing the locale is free, because indexes begin with it.
    if (leaf.path === 'locale') return 0
    return costs.tested + costOfTexts(leaf.test, bytesAt(`${within}${leaf.path}`))
  })
}

/** Estimates the fixed cost of a condition: writing, sending and compiling its regular expressions. */
export function costOfPreparing(condition: Condition): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'test') return textsIn(leaf.test) * costs.statedText
    return leaf.kind === 'related' ? costOfPreparing(leaf.of) : 0
  })
}

function textsIn(test: Test): number {
  const of = test.op === 'at' ? test.of : test
  return of.op === 'match' ? of.texts.length : 0
}

/** Excludes the cost of one test, which the caller adds. */
function costOfTexts(test: Test, bytes: number): number {
  if (test.op !== 'match' && test.op !== 'at') return 0
  const texts = Math.max(1, textsIn(test))
  const more = (texts - 1) * costs.tested
  if (test.op === 'match' && test.numeric === true) return costs.numberText + more
  const searched = texts * bytes * costs.searchedByte
  return (test.op === 'at' ? costs.jsonPath : 0) + more + searched
}
