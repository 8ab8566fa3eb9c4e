import type { Test } from '../../values/value-test.js'
import { isComputed } from '../../values/value-test.js'
import type { CollectionFacts, FactsOf } from './collection-facts.js'
import { entriesPerValue, isIndexedByOthers, markedEntries } from './collection-facts.js'
import type { Condition } from '../plan/read-plan.js'

/** How the database finds the entries that may match, and how many it fetches. */
export type Access = Readonly<{
  /** `all`: every entry matches, so none is tested. `scan`: every entry is tested. */
  by: 'index' | 'all' | 'scan'
  entries: number
  isTested: boolean
}>

/** Assumed share of the entries that match an indexed condition. */
const indexedPart = 0.1

/**
 * Estimates how the database finds the entries. Assumes that it uses the most selective index, and tests each entry
 * that the index yields.
 */
export function accessTo(condition: Condition, facts: CollectionFacts, factsOf: FactsOf): Access {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const members = condition.of.map((member) => accessTo(member, facts, factsOf))
      return condition.kind === 'all' ? narrowest(members, facts) : widest(members, facts)
    }
    case 'test':
      return accessByTest(condition, facts)
    case 'related':
      return accessByTargets(condition, facts, factsOf)
    case 'modified':
      return accessByMarks(condition, facts, factsOf)
    case 'element':
    case 'none':
      return scan(facts)
  }
}

/** A request may contain more values than there are entries. */
const byIndex = (entries: number, facts: CollectionFacts, isTested = false): Access => ({
  by: 'index',
  entries: Math.min(entries, facts.entries),
  isTested,
})
const scan = ({ entries }: CollectionFacts): Access => ({ by: 'scan', entries, isTested: true })
const all = ({ entries }: CollectionFacts): Access => ({ by: 'all', entries, isTested: false })

function narrowest(members: readonly Access[], facts: CollectionFacts): Access {
  const narrowing = members.filter(({ by }) => by === 'index')
  const isTested = members.some((member) => member.isTested)
  if (narrowing.length === 0) return isTested ? scan(facts) : all(facts)
  return byIndex(Math.min(...narrowing.map(({ entries }) => entries)), facts, isTested)
}

function widest(members: readonly Access[], facts: CollectionFacts): Access {
  if (members.some(({ by }) => by !== 'index')) return scan(facts)
  const entries = members.reduce((sum, member) => sum + member.entries, 0)
  return byIndex(
    entries,
    facts,
    members.some((member) => member.isTested),
  )
}

/** Whether the database may find matches by an index, even by scanning all its keys. True in case of doubt. */
export function mayBeServed(condition: Condition, facts: CollectionFacts, within = ''): boolean {
  const isIn = (path: string, test?: Test): boolean =>
    isIndexedByOthers(within + path, facts) ||
    facts.indexes.some(
      ({ fields, isWhole }) =>
        fields.includes(within + path) && (isWhole || test === undefined || isOrdered(test)),
    )
  switch (condition.kind) {
    case 'all':
    case 'none':
      return condition.of.some((member) => mayBeServed(member, facts, within))
    case 'any':
      return condition.of.every((member) => mayBeServed(member, facts, within))
    case 'test':
      // An index on the locale alone does not narrow a search.
      if (within + condition.path === 'locale') return false
      return !isComputed(condition.test) && isIn(condition.path, condition.test)
    case 'element':
      return mayBeServed(condition.of, facts, `${within}${condition.path}.`)
    case 'related': {
      const { stored, path, listed } = condition.link
      return stored !== 'here' || listed === true || isIn(`${path}.documentId`)
    }
    case 'modified':
      return true
  }
}

const keys = new Set(['_id', 'documentId'])

function accessByTest(
  { path, test }: Extract<Condition, { kind: 'test' }>,
  facts: CollectionFacts,
): Access {
  if (keys.has(path) && test.op === 'in') return byIndex(test.values.length, facts)
  if (path === 'locale' && test.op === 'in') return all(facts)
  const indexes = facts.indexes.filter(
    ({ fields, isWhole }) => fields[0] === path && (isWhole || test.op !== 'null'),
  )
  if (indexes.length === 0 || !isOrdered(test)) return scan(facts)
  const values = valuesIn(test)
  const isUnique = indexes.some((index) => index.isUnique === true && index.fields.length === 1)
  if (isUnique && values !== undefined) return byIndex(values, facts)
  return byIndex(entriesOf(path, values, facts), facts)
}

/** Returns the number of values in a test for equality; undefined for other tests. */
function valuesIn(test: Test): number | undefined {
  if (test.op === 'in') return test.values.length
  return test.op === 'match' && test.how === 'equals' ? test.texts.length : undefined
}

/** Estimates how many entries have one of some values at an indexed path. */
function entriesOf(path: string, values: number | undefined, facts: CollectionFacts): number {
  const each = entriesPerValue(facts, path)
  if (values === undefined || each === undefined) return facts.entries * indexedPart
  return values * Math.max(1, each.usual)
}

/** Whether the matches of a test are adjacent in an index. */
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
      if (test.numeric === true) return false
      return !test.negated && !test.insensitive && ['equals', 'startsWith'].includes(test.how)
    case 'notIn':
    case 'notNull':
    case 'notBetween':
    case 'at':
      return false
  }
}

function accessByTargets(
  { link, of, orNone }: Extract<Condition, { kind: 'related' }>,
  facts: CollectionFacts,
  factsOf: FactsOf,
): Access {
  const path = `${link.path}.documentId`
  const { stored, listed } = link
  const isServed =
    stored !== 'here' || listed === true || facts.indexes.some(({ fields }) => fields[0] === path)
  if (orNone || !isServed) return scan(facts)
  const targets = accessTo(of, factsOf(link.collection), factsOf)
  // If a scan finds the targets, their number is unknown.
  const values = targets.by === 'index' ? targets.entries : undefined
  if (stored !== 'here' && values !== undefined) return byIndex(values, facts)
  return byIndex(entriesOf(path, values, facts), facts)
}

/** Estimates how modified entries are found: by the keys of drafts that have the mark, or by their own mark. */
function accessByMarks(
  { by, not, drafts }: Extract<Condition, { kind: 'modified' }>,
  facts: CollectionFacts,
  factsOf: FactsOf,
): Access {
  return not ? scan(facts) : byIndex(markedEntries(factsOf(drafts)), facts, by === 'own mark')
}
