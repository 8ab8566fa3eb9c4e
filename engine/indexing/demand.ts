import type { Condition, LocaleRule, ReadPlan, SortKey } from '../read/plan/read-plan.js'
import type { Test } from '../values/value-test.js'

/** What reads of one shape ask of a collection, as far as an index may answer it; in stored paths. */
export type Demand = Readonly<{
  collection: string
  /** What has to be one of few values, the locale too; in the order of the alphabet. */
  equal: readonly string[]
  /** What has to be in a range. */
  ranges: readonly string[]
  /** Whether entries are asked for more, which no index answers. */
  isTested: boolean
  /** In which order a page of them is read; null: all that are found are read, in any order. */
  sort: readonly OrderKey[] | null
}>

export type OrderKey = Readonly<{ path: string; direction: 1 | -1 }>

/** Conditions in a request beyond so many narrow no further. */
const mostPaths = 6

/**
 * What a list asks of its collection, and of those of the relations that its filter goes through. Without what
 * every collection has indexes for.
 */
export function demandsOf({ collection, match, sort, groups }: ReadPlan): readonly Demand[] {
  const order = groups === undefined ? orderOf(sort) : null
  return demandsFor(collection, gather(match), order).filter(isServable)
}

/** The same for equal demands. */
export function keyOf({ collection, equal, ranges, isTested, sort }: Demand): string {
  return JSON.stringify([collection, equal, ranges, isTested, sort?.map(textOf)])
}

/** `-rank` */
export const textOf = ({ path, direction }: OrderKey): string =>
  direction === 1 ? path : `-${path}`

type Related = Extract<Condition, { kind: 'related' }>

type Found = {
  readonly equal: Set<string>
  readonly ranges: Set<string>
  isTested: boolean
  readonly related: Related[]
}

function demandsFor(collection: string, found: Found, sort: Demand['sort']): readonly Demand[] {
  const { equal, ranges, isTested, related } = found
  const narrowing = [...ranges].filter((path) => !equal.has(path))
  const demand: Demand = {
    collection,
    equal: [...equal].toSorted().slice(0, mostPaths),
    ranges: narrowing.toSorted().slice(0, mostPaths),
    isTested: isTested || equal.size > mostPaths || narrowing.length > mostPaths,
    sort,
  }
  return [demand, ...related.flatMap(demandsBehind)]
}

/** Targets are asked for in any order, all of them. */
function demandsBehind({ link, of }: Related): readonly Demand[] {
  const found = gather(of)
  if (isFixed(link.locale)) found.equal.add('locale')
  return demandsFor(link.collection, found, null)
}

const isFixed = ({ kind }: LocaleRule): boolean => kind !== 'none' && kind !== 'same'

function gather(condition: Condition): Found {
  const found: Found = { equal: new Set(), ranges: new Set(), isTested: false, related: [] }
  add(condition)
  return found

  function add(member: Condition): void {
    switch (member.kind) {
      case 'all':
        return member.of.forEach(add)
      case 'test': {
        const use = useOf(member.test)
        if (use === 'none') found.isTested = true
        else found[use].add(member.path)
        return
      }
      case 'related': {
        const { link, orNone } = member
        found.related.push(member)
        if (orNone || link.stored === 'anywhere') found.isTested = true
        else found.equal.add(link.stored === 'here' ? `${link.path}.documentId` : 'documentId')
        return
      }
      case 'none':
        found.isTested = true
        // The query for its targets is that of any other relation.
        found.related.push(...member.of.filter((it) => it.kind === 'related'))
        return
      case 'any':
      case 'element':
      case 'modified':
        found.isTested = true
    }
  }
}

/** What an index makes of a test. */
function useOf(test: Test): 'equal' | 'ranges' | 'none' {
  switch (test.op) {
    case 'in':
      return 'equal'
    case 'null':
      return test.json === true ? 'none' : 'equal'
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
    case 'between':
      return 'ranges'
    case 'match':
      if (test.numeric === true || test.negated || test.insensitive || test.texts.length !== 1)
        return 'none'
      return test.how === 'equals' ? 'equal' : test.how === 'startsWith' ? 'ranges' : 'none'
    case 'notIn':
    case 'notNull':
    case 'notBetween':
    case 'at':
      return 'none'
  }
}

/** Values behind relations and in lists are in no index with the entry's own. */
function orderOf(sort: readonly SortKey[]): Demand['sort'] {
  if (sort.some(({ through }) => through.length > 0)) return null
  return sort.map(({ path, direction }) => ({ path, direction }))
}

/** Whether an index beside those that are always there may be worth anything. */
function isServable({ equal, ranges, isTested, sort }: Demand): boolean {
  if (ranges.length > 0 || equal.some((path) => !always.has(path))) return true
  return !isTested && sort !== null && !always.has(sort[0]?.path ?? '_id')
}

const always: ReadonlySet<string> = new Set(['_id', 'documentId', 'locale'])
