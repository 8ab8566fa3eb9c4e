import type { Condition, LocaleRule, ReadPlan, SortKey } from '../read/plan/read-plan.js'
import type { Test } from '../values/value-test.js'

/** Requirements for an index that serves reads with the same filter and sort paths in stored documents. */
export type Demand = Readonly<{
  collection: string
  /** Paths that must have one of a few values. Sorted alphabetically; may include the locale. */
  equal: readonly string[]
  ranges: readonly string[]
  /** Whether entries must also be tested for conditions that no index can serve. */
  isTested: boolean
  /** The sort keys. Null if all matching entries are read, in any order. */
  sort: readonly OrderKey[] | null
}>

export type OrderKey = Readonly<{ path: string; direction: 1 | -1 }>

/** Maximum number of paths in `equal` and in `ranges`. More paths would not make an index more selective. */
const mostPaths = 6

/**
 * Returns the demands of a list and of the relations in its filter. Leaves out demands for which the indexes of ids and
 * locales suffice.
 */
export function demandsOf({ collection, match, sort, groups }: ReadPlan): readonly Demand[] {
  const order = groups === undefined ? orderOf(sort) : null
  return demandsFor(collection, gather(match), order).filter(isServable)
}

/** Returns a string that is the same for equal demands. */
export function keyOf({ collection, equal, ranges, isTested, sort }: Demand): string {
  return JSON.stringify([collection, equal, ranges, isTested, sort?.map(textOf)])
}

/** Returns a sort key such as `-rank` for descending order. */
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

/** Returns the demands on the targets of a relation in a filter. The read needs all matching targets, in any order. */
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
        // A negated condition on a relation also has to find targets.
        found.related.push(...member.of.filter((it) => it.kind === 'related'))
        return
      case 'any':
      case 'element':
      case 'modified':
        found.isTested = true
    }
  }
}

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

/**
 * Returns the sort keys as stored paths. Returns null if one of them leads through a relation or a list, because no
 * index of the entries has that order.
 */
function orderOf(sort: readonly SortKey[]): Demand['sort'] {
  if (sort.some(({ through }) => through.length > 0)) return null
  return sort.map(({ path, direction }) => ({ path, direction }))
}

/** Whether an index may help, in addition to those that every collection has. */
function isServable({ equal, ranges, isTested, sort }: Demand): boolean {
  if (ranges.length > 0 || equal.some((path) => !always.has(path))) return true
  return !isTested && sort !== null && !always.has(sort[0]?.path ?? '_id')
}

const always: ReadonlySet<string> = new Set(['_id', 'documentId', 'locale'])
