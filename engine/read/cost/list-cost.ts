import { sumOver } from '../plan/condition-tree.js'
import { canBeRanked } from '../run/bound-query.js'
import type { CollectionFacts, FactsOf, IndexFacts } from './collection-facts.js'
import { fieldBytes, markedEntries } from './collection-facts.js'
import { costs, memoryBytes, assumed } from './cost-units.js'
import type { Access } from './index-use.js'
import { accessTo } from './index-use.js'
import { maxRanked } from './ids-or-lookup.js'
import type { Condition, Link, ReadPlan, SortKey } from '../plan/read-plan.js'
import type { Test } from '../../values/value-test.js'
import { costOfWalk } from './walk-cost.js'

type Searching = Pick<
  ReadPlan,
  'collection' | 'match' | 'chain' | 'sort' | 'skip' | 'limit' | 'pagination' | 'shortcuts'
>

/** What the database has to go through to find a page and to count a list: of the page, of its total, of what filters ask of relations. */
type SearchCost = Readonly<{
  page: number
  total: number
  relations: number
  found: number
  /** The least work for page and total, which run at the same time. A page that may be full early counts as no work. */
  least: number
}>

/** `found`: how many entries the list is expected to have, page or not. */
export function costOfSearch(plan: Searching, factsOf: FactsOf): SearchCost {
  const facts = factsOf(plan.collection)
  const access = accessTo(plan.match, facts, factsOf)
  // Of what is found together with the page nothing is saved where the total is known.
  const isTogether = plan.shortcuts?.together === true
  const isCounted = plan.pagination?.total === 'count' && !isTogether
  const each = plan.chain === undefined ? 0 : costs.compared
  // Versions are looked up until the page is full.
  const looked = isTogether ? access.entries : Math.min(access.entries, plan.skip + plan.limit)
  const page = costOfPage(access, plan, facts, factsOf) + looked * each
  const total = isCounted ? costOfCount(access, plan.match, facts) + access.entries * each : 0
  const mayEndEarly = !isTogether && isInOrder(plan.sort[0], plan.match, facts.indexes)
  // Totals without a test are remembered, or counted in an index.
  const counted = access.isTested ? total : 0
  return {
    page,
    total,
    found: access.entries,
    least: mayEndEarly ? counted : page,
    relations: costOfLinks(plan.match, factsOf),
  }
}

/** How many entries a list has, page or not; an estimate. */
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
    if (plan.shortcuts?.byTarget === true) return costOfWalk(plan, factsOf) ?? 0
    const most = maxRanked(sort, () => found)
    return sum(through.map((key) => costOfValues(key, found, each, most, factsOf)))
  }
  if (!isInOrder(sort[0], match, facts.indexes)) return found * each
  // In order, what is found by an index alone need not be tested up to the page.
  return access.isTested ? found * each : Math.min(skip, found) * costs.passed
}

/** What it costs to know of entries by which value behind relations they are sorted. */
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

/** Fetching an entry and asking it for a condition. */
export function costOfEntry(condition: Condition, facts: CollectionFacts): number {
  const bytes = facts.sample?.bytes ?? 0
  const fromDisk = facts.entries * bytes > memoryBytes ? bytes * costs.scannedByte : 0
  // One test is part of what fetching costs.
  const bytesAt = (path: string) => fieldBytes(facts, path) ?? assumed.textBytes
  const tests = Math.max(0, costOfTests(condition, bytesAt) - costs.tested)
  return costs.scanned + fromDisk + tests
}

/** What the relations of a condition cost: each asks its target's collection. */
export function costOfLinks(condition: Condition, factsOf: FactsOf): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'test') return 0
    if (leaf.kind === 'modified') return costs.link + costOfModified(leaf, factsOf)
    const { link, of, orNone } = leaf
    const facts = factsOf(link.collection)
    const asked = costOfCount(accessTo(of, facts, factsOf), of, facts)
    // Having no target is having none among all of them.
    const none = orNone ? facts.entries * costs.scanned : 0
    const seen = costOfSeen(link, accessTo(of, facts, factsOf).entries)
    return costs.link + asked + none + seen + costOfLinks(of, factsOf)
  })
}

/** The cost of finding out which targets are the version that is shown. */
export const costOfSeen = ({ locale }: Link, targets: number): number =>
  locale.kind === 'first' ? targets * costs.compared : 0

/** Finding out what is modified: each draft that may be is compared with its other version. */
function costOfModified(
  { link, drafts }: Extract<Condition, { kind: 'modified' }>,
  factsOf: FactsOf,
): number {
  const { entries } = factsOf(link.collection)
  return markedEntries(factsOf(drafts), entries) * costs.compared
}

/** Whether an index has the entries in the order of a key: it begins with it, or with what has one value in all. */
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

/** Whether all that satisfies a condition has the same value at a path. */
function isEqual(path: string, condition: Condition): boolean {
  if (condition.kind === 'all') return condition.of.some((member) => isEqual(path, member))
  if (condition.kind !== 'test' || condition.path !== path) return false
  const { test } = condition
  return test.op === 'null' || (test.op === 'in' && test.values.length === 1)
}

/**
 * What it costs to ask one entry for a condition, beside fetching it. What is searched for within a text is a
 * regular expression of its own for each text that is looked for, and goes through all of the entry's.
 * @param bytesAt returns the bytes of what is stored at a path
 */
export function costOfTests(condition: Condition, bytesAt: (path: string) => number): number {
  return sumOver(condition, (leaf, within) => {
    if (leaf.kind !== 'test') return costs.tested
    // Indexes begin with the locale.
    if (leaf.path === 'locale') return 0
    return costs.tested + costOfTexts(leaf.test, bytesAt(`${within}${leaf.path}`))
  })
}

/** What a condition costs before any entry is asked: expressions are written, sent, and made ready by the database. */
export function costOfStating(condition: Condition): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'test') return textsIn(leaf.test) * costs.statedText
    return leaf.kind === 'related' ? costOfStating(leaf.of) : 0
  })
}

/** How many texts are searched for. */
function textsIn(test: Test): number {
  const of = test.op === 'at' ? test.of : test
  return of.op === 'match' ? of.texts.length : 0
}

/** Costs beyond the first test, which is counted already. */
function costOfTexts(test: Test, bytes: number): number {
  if (test.op !== 'match' && test.op !== 'at') return 0
  const texts = Math.max(1, textsIn(test))
  const more = (texts - 1) * costs.tested
  if (test.op === 'match' && test.numeric === true) return costs.numberText + more
  const searched = texts * bytes * costs.searchedByte
  return (test.op === 'at' ? costs.jsonPath : 0) + more + searched
}
