import type { Test } from '../../values/value-test.js'
import { isComputed } from '../../values/value-test.js'
import type { CollectionFacts, FactsOf, IndexFacts } from './collection-facts.js'
import { entriesPerValue, isIndexedByOthers, markedEntries } from './collection-facts.js'
import type { Condition, Link } from '../plan/read-plan.js'

/** How the database finds the entries that may match, and how many it fetches. */
export type Access = Readonly<{
  /** `key`: by `_id` or documentId. `all`: every entry matches, so none is tested. `scan`: every entry is tested. */
  by: 'key' | 'index' | 'all' | 'scan'
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
      return narrowest(
        condition.of.map((member) => accessTo(member, facts, factsOf)),
        facts,
      )
    case 'any':
      return widest(
        condition.of.map((member) => accessTo(member, facts, factsOf)),
        facts,
      )
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

const scan = ({ entries }: CollectionFacts): Access => ({ by: 'scan', entries, isTested: true })
const all = ({ entries }: CollectionFacts): Access => ({ by: 'all', entries, isTested: false })

function narrowest(members: readonly Access[], facts: CollectionFacts): Access {
  const narrowing = members.filter(({ by }) => by === 'key' || by === 'index')
  const isTested = members.some((member) => member.isTested)
  if (narrowing.length === 0) return isTested ? scan(facts) : all(facts)
  const best = narrowing.reduce((least, member) =>
    member.entries < least.entries ? member : least,
  )
  return { ...best, isTested }
}

function widest(members: readonly Access[], facts: CollectionFacts): Access {
  if (members.some(({ by }) => by === 'all' || by === 'scan')) return scan(facts)
  const entries = members.reduce((sum, member) => sum + member.entries, 0)
  return {
    by: members.every(({ by }) => by === 'key') ? 'key' : 'index',
    entries: atMost(entries, facts),
    isTested: members.some((member) => member.isTested),
  }
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
  if (keys.has(path) && test.op === 'in') {
    return { by: 'key', entries: atMost(test.values.length, facts), isTested: false }
  }
  if (path === 'locale' && test.op === 'in') return all(facts)
  const leading = facts.indexes.filter(({ fields }) => fields[0] === path)
  const serving = test.op === 'null' ? leading.filter(({ isWhole }) => isWhole) : leading
  if (serving.length === 0 || !isOrdered(test)) return scan(facts)
  return { by: 'index', entries: entriesBy(test, path, serving, facts), isTested: false }
}

function entriesBy(
  test: Test,
  path: string,
  indexes: readonly IndexFacts[],
  facts: CollectionFacts,
): number {
  const values = equalTo(test)
  const isUnique = indexes.some((index) => index.isUnique === true && isOnly(path, index))
  if (values !== null && isUnique) return atMost(values, facts)
  const each = entriesPerValue(facts, path)
  if (values === null || each === undefined) return facts.entries * indexedPart
  return atMost(Math.max(values, values * each.usual), facts)
}

/** Whether an index has only this path, apart from the locale, like Quire's unique indexes. */
const isOnly = (path: string, { fields }: IndexFacts): boolean =>
  fields.length === 1 && fields[0] === path

/** Returns the number of values in a test for equality; null for other tests. */
function equalTo(test: Test): number | null {
  if (test.op === 'in') return test.values.length
  if (test.op !== 'match' || test.how !== 'equals' || test.insensitive || test.negated) return null
  return test.texts.length
}

/**
 * Limits an estimate to the number of entries, because a request may contain more values. 0 if the number is unknown.
 */
const atMost = (entries: number, facts: CollectionFacts): number =>
  facts.entries === 0 ? 0 : Math.min(entries, facts.entries)

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
  const isServed =
    link.stored !== 'here' ||
    link.listed === true ||
    facts.indexes.some(({ fields }) => fields[0] === path)
  if (orNone || !isServed) return scan(facts)
  const entries = parentsOf(link, accessTo(of, factsOf(link.collection), factsOf), facts)
  return { by: 'index', entries, isTested: false }
}

/**
 * Estimates how modified entries are found. `marks`: by the keys of drafts that are marked as modified. `own mark`: the
 * entries are drafts, found by an index of the mark.
 */
function accessByMarks(
  { by, not, drafts }: Extract<Condition, { kind: 'modified' }>,
  facts: CollectionFacts,
  factsOf: FactsOf,
): Access {
  if (not) return scan(facts)
  const entries = atMost(markedEntries(factsOf(drafts), facts.entries), facts)
  return by === 'marks'
    ? { by: 'key', entries, isTested: false }
    : { by: 'index', entries, isTested: true }
}

/** Estimates how many entries refer to a matching target. If a scan finds the targets, a fixed share is assumed. */
function parentsOf({ stored, path }: Link, targets: Access, facts: CollectionFacts): number {
  if (targets.by === 'all' || targets.by === 'scan') return facts.entries * indexedPart
  if (stored !== 'here') return atMost(targets.entries, facts)
  const each = entriesPerValue(facts, `${path}.documentId`)
  if (each === undefined) return facts.entries * indexedPart
  return atMost(targets.entries * each.usual, facts)
}
