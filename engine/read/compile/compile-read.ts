import type { Document } from 'mongodb'
import type { BoundCondition, BoundSortKey } from '../plan/bound-query.js'
import { documentKey } from '../plan/bound-query.js'
import type {
  EdgePlan,
  Link,
  ReadPlan,
  MemberPlan,
  NodePlan,
  ValuesPlan,
} from '../plan/read-plan.js'
import type { Command, OneDocument } from './compile-command.js'
import { compileCount, compileFind } from './compile-command.js'
import type { CompiledCondition } from './compile-relations.js'
import { compileCondition } from './compile-relations.js'
import {
  compileListed,
  compileLocale,
  compileReferred,
  compileType,
  dependsOnParent,
  keepVisibleTargets,
  keepVisibleVersions,
} from './compile-lookup.js'
import { compileOrder, usesLookup } from './compile-sort.js'
import { compileUsed, compileUses } from './compile-uses.js'

type Listing = Pick<ReadPlan, 'collection' | 'chain'>

/** Compiles a list's condition, and the stages that keep the shown version of each document. */
export function compileShown(plan: Listing, match: BoundCondition): CompiledCondition {
  const { own, joins } = compileCondition(match)
  return { own, joins: [...joins, ...keepVisibleVersions(plan)] }
}

/** Compiles the command that reads a page. */
export function compilePage(
  plan: ReadPlan,
  match: BoundCondition,
  keys: readonly BoundSortKey[],
): Command {
  const one = plan.answer === 'one'
  const { own, joins } = compileShown(plan, match)
  const { stages, order } = compileOrder(plan.collection, keys)
  // The lookups of the filter normally come after the sort, so that they stop when the page is full. But if the sort
  // needs lookups as well, the filter comes first, to reduce their number.
  const sortsByLookup = keys.some(usesLookup)
  const command = compileFind({
    filter: own,
    beforeSort: sortsByLookup ? [...joins, ...stages] : stages,
    ...(keys.length === 0 ? {} : { sort: order }),
    afterSort: sortsByLookup ? [] : joins,
    ...(plan.skip === 0 ? {} : { skip: plan.skip }),
    limit: plan.limit,
    projection: compileProjection(plan.node, one ? ['_revision'] : []),
  })
  const document = one && keys.length === 0 ? oneDocument(match) : undefined
  return 'find' in command && document !== undefined ? { ...command, document } : command
}

/** Returns the document that a condition selects by documentId and locale, if it tests nothing else. */
function oneDocument(match: BoundCondition): OneDocument | undefined {
  if (match.kind !== 'all') return undefined
  const [first, second, ...more] = match.of
  const documentId = searchedText(first, 'documentId')
  const locale = searchedText(second, 'locale')
  if (documentId === undefined || more.length > 0) return undefined
  return second === undefined || locale !== undefined ? { documentId, locale } : undefined
}

/** Returns the only string that a condition allows for `field`, if there is exactly one. */
function searchedText(condition: BoundCondition | undefined, field: string): string | undefined {
  if (condition?.kind !== 'test' || condition.path !== field || condition.test.op !== 'in')
    return undefined
  const [value, ...others] = condition.test.values
  return value?.as === 'text' && others.length === 0 ? value.value : undefined
}

/**
 * Compiles one command for a page and its total: it returns `total` and the ids up to the end of the page, or no
 * document if nothing matches.
 */
export function compileTogether(
  plan: ReadPlan,
  match: BoundCondition,
  keys: readonly BoundSortKey[],
): Document[] {
  const { own, joins } = compileShown(plan, match)
  const { stages, order } = compileOrder(plan.collection, keys)
  const ids = compileFirst(order, plan.skip + plan.limit)
  return [{ $match: own }, ...joins, ...stages, { $group: { _id: null, total: { $sum: 1 }, ids } }]
}

/** Expression: the first `n` ids. By id, `$minN` and `$maxN` take two thirds of the time of `$topN`. */
function compileFirst(order: Readonly<Record<string, 1 | -1>>, n: number): Document {
  const [[first, direction] = ['', 1]] = Object.entries(order)
  if (first !== '_id') return { $topN: { n, sortBy: order, output: '$_id' } }
  return { [direction === 1 ? '$minN' : '$maxN']: { n, input: '$_id' } }
}

/** Compiles the command that reads a page by ids, in no particular order. Entries that no longer match are left out. */
export function compilePageByIds(
  plan: ReadPlan,
  match: BoundCondition,
  ids: readonly unknown[],
): Command {
  const { own } = compileCondition(match)
  return compileFind({
    filter: { _id: { $in: ids }, ...(Object.keys(own).length === 0 ? {} : { $and: [own] }) },
    projection: compileProjection(plan.node),
  })
}

/** Compiles the command that counts the entries of a list. */
export function compileTotal(plan: Listing, match: BoundCondition): Command {
  const { own, joins } = compileShown(plan, match)
  return compileCount(own, joins)
}

/** The sources of a relation, all on one level of the populate tree. */
export type Parents = Readonly<{
  /** documentIds of the targets if the sources store the references (`here`), otherwise documentIds of the sources. */
  documentIds: readonly string[]
  /** Only used if the targets depend on the source's locale. */
  locales: readonly string[]
}>

/**
 * Compiles the command that reads each target of a relation once. A result of `limit` targets means that there are too
 * many: it is one more than the response may show.
 */
export function compileEdge(
  edge: EdgePlan,
  parents: Parents,
  { match, sort }: Readonly<{ match: BoundCondition; sort: readonly BoundSortKey[] }>,
  limit: number,
): Command {
  const { link } = edge
  const references =
    link.stored === 'there'
      ? ['documentId', 'order', ...(link.type === undefined ? [] : ['__type'])].map(
          (name) => `${link.path}.${name}`,
        )
      : []
  const used = link.stored === 'anywhere' ? { [link.path]: compileUsed(link) } : {}
  const { filter, joins } = compileTargets(link, parents, match)
  const { stages, order } = compileOrder(link.collection, sort)
  return compileFind({
    filter,
    beforeSort: [...joins, ...stages],
    ...(sort.length === 0 ? {} : { sort: order }),
    limit,
    projection: {
      ...(edge.count
        ? compileCountProjection(link, references)
        : compileProjection(edge.node, references)),
      ...used,
    },
  })
}

/** Compiles the command that counts the targets of each source, if the targets store the references. */
export function compileCounts(
  { link }: EdgePlan,
  parents: Parents,
  match: BoundCondition,
): Command {
  const locale = dependsOnParent(link) ? '$locale' : { $literal: null }
  const { filter, joins } = compileTargets(link, parents, match)
  const stages = [
    { $match: filter },
    ...joins,
    { $project: { _id: 0, documentId: compileReferred(link), locale } },
    { $unwind: '$documentId' },
    { $match: { documentId: { $in: parents.documentIds } } },
    {
      $group: { _id: { documentId: '$documentId', locale: '$locale' }, count: { $sum: 1 } },
    },
  ]
  return { aggregate: stages }
}

/** Returns a source's `documentKey` and its count. */
export function readCountRow(row: Document): [string, number] {
  const { documentId, locale } = row['_id'] as { documentId: string; locale: string | null }
  return [documentKey(documentId, locale), Number(row['count'])]
}

/** Compiles the filter and stages for those targets of `parents` that match a condition. */
function compileTargets(
  link: Link,
  parents: Parents,
  match: BoundCondition,
): Readonly<{ filter: Document; joins: readonly Document[] }> {
  const { own, joins } = compileCondition(match)
  return {
    filter: {
      ...compileHeld(link, parents.documentIds),
      ...compileType(link),
      ...compileLocale(link.locale, parents.locales),
      ...(Object.keys(own).length === 0 ? {} : { $and: [own] }),
    },
    joins: [...joins, ...keepVisibleTargets(link)],
  }
}

/** Matches targets by documentId, or by the documentIds to which they refer. */
function compileHeld(link: Link, documentIds: readonly string[]): Document {
  if (link.stored === 'anywhere') return compileUses(link, documentIds)
  if (link.stored !== 'there') return { documentId: { $in: documentIds } }
  return { ...compileListed(link, documentIds), [`${link.path}.documentId`]: { $in: documentIds } }
}

/** Compiles the projection for counting. Without `_id`, an index covers the query. */
function compileCountProjection({ stored }: Link, references: readonly string[]): Document {
  if (stored === 'here') return { _id: 0, documentId: 1, locale: 1 }
  const fields = Object.fromEntries(references.map((path) => [path, 1]))
  return { _id: 1, documentId: 1, locale: 1, ...fields }
}

type Tree = { [field: string]: Tree | 1 }

/** Compiles the `$project` of an entry: the shown fields, and those needed to join results. */
export function compileProjection(node: NodePlan, extra: readonly string[] = []): Document {
  const tree: Tree = { _id: 1, documentId: 1 }
  if (node.localized) tree['locale'] = 1
  for (const field of extra) add(tree, field.split('.'))
  addMembers(tree, node.members)
  return tree
}

function addMembers(tree: Tree, members: readonly MemberPlan[]): void {
  for (const member of members) {
    switch (member.kind) {
      case 'field':
        add(tree, [member.path])
        break
      case 'component':
        addEmbedded(tree, member.path, [member])
        break
      case 'zone':
        addEmbedded(tree, member.path, Object.values(member.components))
        if (member.count) tree[member.path] = 1
        break
      case 'edge':
        if (member.link.stored === 'here') add(tree, [member.link.path])
        break
      case 'morph':
        add(tree, [member.path])
    }
  }
}

/**
 * Adds the shown fields of a component, or of all components of a dynamic zone. If one of them has a filter or a sort,
 * adds the whole component, because these may use any field.
 */
function addEmbedded(tree: Tree, path: string, plans: readonly ValuesPlan[]): void {
  const there = tree[path]
  if (there === 1) return
  if (plans.some(({ filter, sort }) => filter !== null || sort.length > 0)) {
    tree[path] = 1
    return
  }
  const inner: Tree = (tree[path] = there ?? {})
  inner['id'] = 1
  inner['__component'] = 1
  for (const { node } of plans) addMembers(inner, node.members)
}

function add(tree: Tree, [field = '', ...rest]: readonly string[]): void {
  const there = tree[field]
  if (there === 1) return
  if (rest.length === 0) tree[field] = 1
  else add((tree[field] = there ?? {}), rest)
}
