import type { Filter } from '../resolve/query.js'
import type { VersionContext } from './plan-relation.js'
import { planLink, planVersionLocale, contextOf } from './plan-relation.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import { collectionOf } from '../../schema/content-type.js'
import { sumOver } from './condition-tree.js'
import type { Condition, Link, LocaleRule } from './read-plan.js'
import { always, never } from './read-plan.js'
import { isNullTest } from '../../values/value-test.js'

/**
 * Converts a filter to a condition on stored paths in a read context.
 * @param prefix stored path of the filtered component, with a final dot; empty for the entry itself
 */
export function planCondition(filter: Filter, context: VersionContext, prefix = ''): Condition {
  switch (filter.kind) {
    case 'all':
    case 'any':
    case 'none': {
      const of = filter.of.map((member) => planCondition(member, context, prefix))
      if (filter.kind !== 'none') return combineConditions(filter.kind, of)
      return { kind: 'none', of: [combineConditions('any', of)] }
    }
    case 'test':
      return { kind: 'test', path: prefix + filter.attribute.storedAs, test: filter.test }
    case 'component': {
      const path = prefix + filter.attribute.storedAs
      if (!filter.attribute.repeatable) return planCondition(filter.of, context, `${path}.`)
      const of = planCondition(filter.of, context)
      return { kind: 'element', path, of, orEmpty: holdsOfNulls(filter) }
    }
    case 'version':
      return planVersion(filter, context)
    case 'modified': {
      const { type, is } = filter
      const link = linkVersion(type, 'published', planVersionLocale(type, context))
      const by = is && context.status === 'draft' ? 'own mark' : 'marks'
      return { kind: 'modified', link, drafts: collectionOf(type, 'draft'), not: !is, by }
    }
    case 'edge':
      return {
        kind: 'related',
        link: planLink(filter.edge, context, prefix),
        of: planCondition(filter.of, contextOf(filter.edge, context)),
        orNone: holdsOfNulls(filter),
      }
  }
}

/**
 * Converts a filter on whether an entry has another version. If such a version must not exist, `never` rejects every
 * version, and `orNone` accepts the entries without one.
 */
function planVersion(
  { type, status, locales, exists }: Extract<Filter, { kind: 'version' }>,
  context: VersionContext,
): Condition {
  const among: LocaleRule | null =
    type.localized && locales !== 'same' ? { kind: 'any', among: locales } : null
  const link = linkVersion(type, status, among ?? planVersionLocale(type, context))
  return { kind: 'related', link, of: exists ? always : never, orNone: !exists }
}

function linkVersion(type: ContentType, status: Status, locale: LocaleRule): Link {
  const collection = collectionOf(type, status)
  return { collection, stored: 'sibling', path: 'documentId', many: true, locale }
}

/** Whether a filter matches a target whose values are all null (an outer join without a match). */
function holdsOfNulls(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.every(holdsOfNulls)
    case 'any':
      return filter.of.some(holdsOfNulls)
    case 'test':
      return isNullTest(filter.test)
    // These are conditions on an existing entry, so a missing target does not match.
    case 'none':
    case 'version':
    case 'modified':
      return false
    case 'component':
    case 'edge':
      return !filter.strict && holdsOfNulls(filter.of)
  }
}

type Group = 'all' | 'any'
type Existential = Extract<Condition, { kind: 'related' | 'element' }>

/**
 * Combines conditions, all or any of which must match. Conditions on the same relation are merged into one read if a
 * single target decides the result: always for `any`, and for `all` if there is at most one target.
 * `filters[$or][0][author][name]=Ana&filters[$or][1][author][city]=Rome` reads authors once.
 */
function combineConditions(kind: Group, members: readonly Condition[]): Condition {
  const found = new Map<string, Existential>()
  const rest: (Condition | string)[] = []
  for (const member of flatten(kind, members)) {
    const key = keyOf(kind, member)
    if (key === undefined) {
      rest.push(member)
      continue
    }
    const before = found.get(key)
    if (before === undefined) rest.push(key)
    found.set(key, before === undefined ? (member as Existential) : join(kind, before, member))
  }
  const of = rest.flatMap((it) => (typeof it === 'string' ? (found.get(it) ?? []) : it))
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { kind, of }
}

function flatten(kind: Group, members: readonly Condition[]): readonly Condition[] {
  return members.flatMap((member) => (member.kind === kind ? flatten(kind, member.of) : member))
}

/** Returns a key that is equal for conditions that can be merged. */
function keyOf(kind: Group, member: Condition): string | undefined {
  if (member.kind === 'related') {
    return kind === 'any' || !member.link.many ? JSON.stringify(member.link) : undefined
  }
  return member.kind === 'element' && kind === 'any' ? member.path : undefined
}

/** Merges two conditions. Their `orNone` and `orEmpty` are merged in the same way. */
function join(kind: Group, first: Existential, second: Condition): Existential {
  const either = (a: boolean, b: boolean) => (kind === 'any' ? a || b : a && b)
  if (first.kind === 'related' && second.kind === 'related') {
    const of = combineConditions(kind, [first.of, second.of])
    return { ...first, of, orNone: either(first.orNone, second.orNone) }
  }
  if (first.kind === 'element' && second.kind === 'element') {
    const of = combineConditions(kind, [first.of, second.of])
    return { ...first, of, orEmpty: either(first.orEmpty, second.orEmpty) }
  }
  throw new Error('conditions of two kinds have no key in common')
}

/** Counts the relations that a condition goes through. */
export function relationsIn(condition: Condition): number {
  return sumOver(condition, (leaf) => {
    if (leaf.kind === 'test') return 0
    return leaf.kind === 'related' ? 1 + relationsIn(leaf.of) : 1
  })
}
