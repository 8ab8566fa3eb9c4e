import type { Document, Filter } from 'mongodb'
import type { ResolvedCondition, TargetTest, BoundCondition, Joined } from '../plan/bound-query.js'
import {
  compileEarlier,
  compileLookup,
  compileModifiedTargets,
  oneId,
  compileLocale,
  compileReferred,
  compileType,
  dependsOnParent,
  keepVisibleTargets,
} from './compile-lookup.js'
import { compileComputed, compileMatch } from './compile-match.js'
import type { Command } from './compile-command.js'
import { compileFind } from './compile-command.js'
import type { Link } from '../plan/read-plan.js'
import type { ComputedTest } from '../../values/value-test.js'
import { isComputed } from '../../values/value-test.js'

/** A `$match` on stored fields, and the stages for the parts that need lookups. */
export type CompiledCondition = Readonly<{ own: Filter<Document>; joins: readonly Document[] }>

/**
 * Compiles a condition. A part that goes through a relation becomes three stages: `$lookup`s, a `$set` that stores
 * their results as boolean marks, and a `$match` on the marks. Marks on component values are set in a copy of the list,
 * because `$elemMatch` tests the fields of one element.
 */
export function compileCondition(condition: BoundCondition): CompiledCondition {
  if (isAnswered(condition)) return { own: compileMatch(condition), joins: [] }
  const own: ResolvedCondition[] = []
  const joined: BoundCondition[] = []
  for (const member of membersOf(condition)) {
    if (isAnswered(member)) own.push(member)
    else joined.push(member)
  }
  const marks: Marks = new Map()
  return {
    own: compileMatch({ kind: 'all', of: own }),
    joins: joined.flatMap((member) => compileJoined(member, marks)),
  }
}

/** The field name of each mark by its condition. */
type Marks = Map<BoundCondition, string>

/** Everything that is compiled from one part of a condition. */
type Marking = Readonly<{
  marks: Marks
  lookups: Document[]
  expressions: Record<string, unknown>
}>

function compileJoined(condition: BoundCondition, marks: Marks): Document[] {
  const marking: Marking = { marks, lookups: [], expressions: {} }
  const match = compileMatch(replaceJoined(condition, marking))
  return [...marking.lookups, { $set: marking.expressions }, { $match: match }]
}

/** Replaces each lookup in a condition with a test of its mark. Adds the lookup and the mark to `marking`. */
function replaceJoined(condition: BoundCondition, marking: Marking): ResolvedCondition {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none':
      return { ...condition, of: condition.of.map((member) => replaceJoined(member, marking)) }
    case 'test':
    case 'keys':
      return condition
    case 'element': {
      if (isAnswered(condition)) return condition
      return markElements(condition, `$${condition.path}`, `${condition.path}.`, marking)
    }
    case 'joined':
      return isTrue(markEntry(condition, marking))
  }
}

const isTrue = (path: string): ResolvedCondition => ({
  kind: 'test',
  path,
  test: { op: 'in', values: [{ as: 'boolean', value: true }] },
})

function markEntry(joined: Joined, { marks, lookups, expressions }: Marking): string {
  const known = marks.get(joined)
  if (known !== undefined) return known
  const name = nameFor(joined, marks)
  const { link, test } = joined
  if (test.kind === 'earlier') {
    const { lookup, isEarlier } = compileEarlier(link, name)
    lookups.push(lookup)
    expressions[name] = isEarlier
    return name
  }
  lookups.push(...compileLookup(link, [...compileTargets(link, test), ...oneId], name))
  expressions[name] = { $ne: [`$${name}`, []] }
  return name
}

function nameFor(condition: BoundCondition, marks: Marks): string {
  const name = `_mark${marks.size}`
  marks.set(condition, name)
  return name
}

function compileTargets(link: Link, test: Exclude<TargetTest, { kind: 'earlier' }>): Document[] {
  if (test.kind === 'modified') return compileModifiedTargets(test.drafts, link)
  const { own, joins } = compileCondition(test.of)
  return [...(Object.keys(own).length === 0 ? [] : [{ $match: own }]), ...joins]
}

type TestCondition = Extract<BoundCondition, { kind: 'test' }>
type ElementCondition = Extract<BoundCondition, { kind: 'element' }>

/**
 * Sets marks on the elements of the list `input`, in a copy of it. One lookup per entry finds the targets of all
 * elements.
 * @param within path of the list in the entry, with a final dot
 */
function markElements(
  condition: ElementCondition,
  input: string,
  within: string,
  { marks, lookups, expressions }: Marking,
): ResolvedCondition {
  const name = nameFor(condition, marks)
  const element = `element${marks.size}`
  const inner: Record<string, unknown> = {}
  const of = replaceInElement(condition.of)
  expressions[name] = {
    $cond: [
      { $isArray: [input] },
      { $map: { input, as: element, in: { $mergeObjects: [`$$${element}`, inner] } } },
      input,
    ],
  }
  return { kind: 'element', path: name, of, orEmpty: condition.orEmpty }

  function replaceInElement(member: BoundCondition): ResolvedCondition {
    switch (member.kind) {
      case 'all':
      case 'any':
      case 'none':
        return { ...member, of: member.of.map(replaceInElement) }
      case 'test':
        return isComputed(member.test) ? isTrue(markComputed(member, member.test)) : member
      case 'keys':
        return member
      case 'element': {
        if (isAnswered(member)) return member
        const path = `$$${element}.${member.path}`
        const marking = { marks, lookups, expressions: inner }
        return markElements(member, path, `${within}${member.path}.`, marking)
      }
      case 'joined':
        return isTrue(markReference(member))
    }
  }

  /** `$elemMatch` cannot contain `$expr`, so a computed test needs a mark. */
  function markComputed(condition: TestCondition, test: ComputedTest): string {
    const mark = marks.get(condition) ?? nameFor(condition, marks)
    inner[mark] = compileComputed(test, `$$${element}.${condition.path}`)
    return mark
  }

  function markReference(joined: Joined): string {
    const { link, test } = joined
    if (link.stored !== 'here' || test.kind === 'earlier')
      throw new Error(`A component cannot be the target of ${link.path}`)
    const mark = marks.get(joined) ?? nameFor(joined, marks)
    const found = [...compileTargets(link, test), { $project: { _id: 0, documentId: 1 } }]
    lookups.push(...compileLookup(link, found, mark, within))
    const references = `$$${element}.${link.path}.documentId`
    // For a single reference, the path yields a string.
    const list = { $cond: [{ $isArray: [references] }, references, [references]] }
    const shared = { $setIntersection: [list, `$${mark}.documentId`] }
    inner[mark] = { $ne: [shared, []] }
    return mark
  }
}

function membersOf(condition: BoundCondition): readonly BoundCondition[] {
  return condition.kind === 'all' ? condition.of.flatMap(membersOf) : [condition]
}

/** Whether `$match` alone can test a condition, without lookups and computed tests of list elements. */
function isAnswered(condition: BoundCondition): condition is ResolvedCondition {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none':
      return condition.of.every(isAnswered)
    case 'element':
      return isAnswered(condition.of) && !computes(condition.of)
    case 'test':
    case 'keys':
      return true
    case 'joined':
      return false
  }
}

/** Whether a condition on a list element contains a computed test, not counting nested lists. */
function computes(condition: ResolvedCondition): boolean {
  if (condition.kind === 'test') return isComputed(condition.test)
  return 'of' in condition && condition.kind !== 'element' && condition.of.some(computes)
}

/**
 * A documentId by which sources are found. `count`: number of references to it. `locale`: set if the targets depend on
 * the source's locale (`dependsOnParent`).
 */
export type KeyRow = Readonly<{ key: string; locale: string | null; count: number }>

/** Restricts which keys `compileKeys` reads. */
export type KeyRange = Readonly<{
  /** Maximum number of references to read; null: no limit. */
  limit: number | null
  /** Reads only these targets; null: all. */
  among: readonly string[] | null
}>

/**
 * Compiles the command that reads the documentIds of matching targets or, if the targets store the references
 * (`there`), the documentIds to which these targets refer.
 */
export function compileKeys(
  link: Link,
  match: BoundCondition,
  { limit, among }: KeyRange,
): Command {
  const { own, joins } = compileCondition(match)
  const locale = compileLocale(link.locale, null)
  const conditions = [
    locale,
    compileType(link),
    among === null ? {} : { documentId: { $in: among } },
    own,
  ]
  const shown = dependsOnParent(link) ? { locale: 1 } : {}
  const filter = allOf(conditions)
  const stages = [...joins, ...keepVisibleTargets(link)]
  // No `$group`: a document has one version per locale, so few documentIds occur twice.
  if (link.stored !== 'there') {
    const projection = { _id: 0, documentId: 1, ...shown }
    const cut = limit === null ? {} : { limit }
    return compileFind({ filter, beforeSort: stages, ...cut, projection })
  }
  const key = dependsOnParent(link) ? { key: '$key', locale: '$locale' } : { key: '$key' }
  const aggregate = [
    { $match: filter },
    ...stages,
    { $project: { _id: 0, key: compileReferred(link), ...shown } },
    { $unwind: '$key' },
    ...(limit === null ? [] : [{ $limit: limit }]),
    { $group: { _id: key, count: { $sum: 1 } } },
  ]
  return { aggregate }
}

/** Reads a document that the command of `compileKeys` returns. */
export function readKeyRow(row: Document): KeyRow {
  const { key, locale } = (row['_id'] ?? {}) as Partial<KeyRow>
  return {
    key: key ?? (row['documentId'] as string),
    locale: locale ?? (row['locale'] as string | undefined) ?? null,
    count: Number(row['count'] ?? 1),
  }
}

function allOf(conditions: readonly Document[]): Document {
  const stated = conditions.filter((condition) => Object.keys(condition).length > 0)
  const [only = {}] = stated
  return stated.length > 1 ? { $and: stated } : only
}
