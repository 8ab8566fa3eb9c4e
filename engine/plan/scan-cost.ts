import type { Test } from '../schema/value-test.js'
import type { CollectionFacts, FactsOf, IndexFacts } from './collection-facts.js'
import { canBeRanked } from './bound-sort.js'
import { maxRanked } from './rank-bounds.js'
import type { Condition, ReadPlan, SortKey } from './read-plan.js'

/**
 * What the database has to go through to find a page and to count a list, in the unit of `costOf`: about
 * 10 µs of work, wherever it is done. Measured on documents of 1.3 KB.
 */
const costs = {
  /** An index entry that is passed. */
  passed: 0.05,
  /** A document that is fetched and tested. */
  scanned: 0.2,
  /** A document whose sort key is looked up in another collection. */
  lookedUp: 10,
  /** A document that is put in order beforehand, with its rank in the command that sorts by it. */
  ranked: 1,
}

/** The part of a collection that an indexed condition is taken to leave. */
const indexedPart = 0.1

/** How the entries of a condition are found: by their key, in an index, as all there are, one by one. */
type Access = 'key' | 'index' | 'all' | 'scan'

type Searching = Pick<ReadPlan, 'collection' | 'match' | 'sort' | 'skip' | 'pagination'>

/** What the page costs, and what its total. */
export function costOfSearch(
  plan: Searching,
  factsOf: FactsOf,
): Readonly<{ page: number; total: number }> {
  const facts = factsOf(plan.collection)
  const access = accessOf(plan.match, facts)
  const links = costOfLinks(plan.match, factsOf)
  return {
    page: links + costOfPage(access, plan, facts, factsOf),
    total: plan.pagination?.total === 'count' ? costOfCount(access, facts) : 0,
  }
}

function costOfPage(
  access: Access,
  { match, sort, skip }: Searching,
  { entries, indexes }: CollectionFacts,
  factsOf: FactsOf,
): number {
  const found = entries * partOf(access)
  const through = sort.filter((key) => key.through.length > 0)
  if (through.length > 0) {
    const most = maxRanked(sort, () => found)
    return sum(through.map((key) => costOfValues(key, found, most, factsOf)))
  }
  if (!isInOrder(sort[0], match, indexes)) return found * costs.scanned
  return access === 'scan' ? found * costs.scanned : Math.min(skip, found) * costs.passed
}

/** What it costs to know of entries by which value behind relations they are sorted. */
function costOfValues({ through }: SortKey, found: number, most: number, factsOf: FactsOf): number {
  const links = through.flatMap((step) => (step.kind === 'link' ? [step.link] : []))
  const targets = links.map(({ collection }) => factsOf(collection).entries)
  const isRanked =
    links.length === through.length &&
    links.every(canBeRanked) &&
    targets.every((entries) => entries <= most)
  if (!isRanked) return found * costs.lookedUp
  return found * costs.scanned + sum(targets) * costs.ranked
}

/** How many entries a list has, page or not; an estimate. */
export function entriesFound(
  { collection, match }: Pick<Searching, 'collection' | 'match'>,
  factsOf: FactsOf,
): number {
  const facts = factsOf(collection)
  return facts.entries * partOf(accessOf(match, facts))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

function costOfCount(access: Access, { entries }: CollectionFacts): number {
  return entries * partOf(access) * (access === 'all' ? costs.passed : costs.scanned)
}

/** What the relations of a condition cost: each asks its target's collection. */
function costOfLinks(condition: Condition, factsOf: FactsOf): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, member) => sum + costOfLinks(member, factsOf), 0)
    case 'element':
      return costOfLinks(condition.of, factsOf)
    case 'test':
      return 0
    case 'modified':
      return factsOf(condition.link.collection).entries * costs.scanned
    case 'related': {
      const facts = factsOf(condition.link.collection)
      const asked = costOfCount(accessOf(condition.of, facts), facts)
      // Having no target is having none among all of them.
      const none = condition.orNone ? facts.entries * costs.scanned : 0
      return asked + none + costOfLinks(condition.of, factsOf)
    }
  }
}

function accessOf(condition: Condition, facts: CollectionFacts): Access {
  switch (condition.kind) {
    case 'all':
      return best(condition.of.map((member) => accessOf(member, facts)))
    case 'any': {
      const accesses = condition.of.map((member) => accessOf(member, facts))
      if (accesses.every((access) => access === 'key')) return 'key'
      return accesses.some((access) => access === 'all' || access === 'scan') ? 'scan' : 'index'
    }
    case 'test':
      return accessOfTest(condition, facts)
    case 'related': {
      if (condition.orNone) return 'scan'
      const { stored, path } = condition.link
      return stored !== 'here' || isLeading(`${path}.documentId`, facts.indexes) ? 'index' : 'scan'
    }
    case 'element':
    case 'modified':
      return 'scan'
  }
}

/** The database takes the index that leaves the least; what is left it tests one by one. */
function best(accesses: readonly Access[]): Access {
  return (['key', 'index', 'scan'] as const).find((access) => accesses.includes(access)) ?? 'all'
}

const keys = new Set(['_id', 'documentId'])

function accessOfTest(
  { path, test }: Extract<Condition, { kind: 'test' }>,
  { indexes }: CollectionFacts,
): Access {
  if (keys.has(path) && test.op === 'in') return 'key'
  if (path === 'locale' && test.op === 'in') return 'all'
  const serving = test.op === 'null' ? indexes.filter(({ isWhole }) => isWhole) : indexes
  return isLeading(path, serving) && isOrdered(test) ? 'index' : 'scan'
}

/** Whether what satisfies it stands together in an index. */
function isOrdered(test: Test): boolean {
  switch (test.op) {
    case 'in':
    case 'null':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
    case 'between':
      return true
    case 'match':
      return !test.negated && !test.insensitive && ['equals', 'startsWith'].includes(test.how)
    case 'notIn':
    case 'notNull':
    case 'notBetween':
      return false
  }
}

function partOf(access: Access): number {
  if (access === 'key') return 0
  return access === 'index' ? indexedPart : 1
}

const isLeading = (path: string, indexes: readonly IndexFacts[]): boolean =>
  indexes.some(({ fields }) => fields[0] === path)

/** Whether an index has the entries in the order of a key: it begins with it, or with what has one value in all. */
function isInOrder(
  key: SortKey | undefined,
  match: Condition,
  indexes: readonly IndexFacts[],
): boolean {
  if (key === undefined || keys.has(key.path)) return true
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
