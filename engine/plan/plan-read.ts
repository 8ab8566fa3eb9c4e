import type { Query } from '../resolve/query.js'
import { collectionOf } from '../schema/content-type.js'
import type { Value } from '../schema/value-test.js'
import { costOf } from './cost.js'
import { planCondition } from './plan-condition.js'
import type { Standing } from './plan-edge.js'
import { planEntryNode } from './plan-node.js'
import { planSort } from './plan-sort.js'
import type { Condition, NodePlan, ReadPlan, TotalPlan } from './read-plan.js'

/** What a read is for, beside its query. */
export type ReadTarget = Readonly<{
  /** A list, one document by documentId or record id, or the document of a single type. */
  of: 'list' | 'single' | Readonly<{ documentId: string }> | Readonly<{ id: number }>
  envelope: 'content' | 'bare'
  format: 'flat' | 'v4'
  maxPopulatedEntries: number
  timeoutMs: number
  /** Whether the database knows how many documents a collection has without counting them. */
  exactMetadata: boolean
}>

/** Pure: a resolved query to what the database is asked. */
export function planRead(query: Query, target: ReadTarget): ReadPlan {
  const { type, status, locales, contextLocale, page } = query
  const locale = locales !== 'all' && locales.length === 1 ? (locales[0] ?? null) : null
  const standing: Standing = { status, localized: type.localized, locale, contextLocale }
  const node = nodeOf(query, standing)
  const list = target.of === 'list'
  const plan = {
    kind: 'read' as const,
    answer: list ? ('list' as const) : ('one' as const),
    envelope: target.envelope,
    format: target.format,
    collection: collectionOf(type, status),
    match: planMatch(query, target, standing),
    sort: list || !isOneVersion(query) ? planSort(list ? query.sort : [], standing) : [],
    skip: list ? page.start : 0,
    limit: list ? page.limit : 1,
    node,
    pagination:
      list && target.envelope === 'content'
        ? { by: page.by, total: planTotal(query, target) }
        : null,
    maxPopulatedEntries: target.maxPopulatedEntries,
    timeoutMs: target.timeoutMs,
  }
  return Object.freeze({ ...plan, cost: costOf(plan) })
}

/** Metadata counts every document of a collection, so it serves only where every document is listed. */
function planTotal({ page, locales, filter }: Query, { exactMetadata }: ReadTarget): TotalPlan {
  if (!page.withCount) return 'none'
  return exactMetadata && locales === 'all' && filter === null ? 'metadata' : 'count'
}

/** What is shown depends on the query alone, so a query that is kept keeps it. */
function nodeOf(query: Query, standing: Standing): NodePlan {
  const known = nodes.get(query)
  if (known !== undefined) return known
  const node = planEntryNode(query.selection, standing)
  nodes.set(query, node)
  return node
}

const nodes = new WeakMap<Query, NodePlan>()

/** A document has one version in a locale and status; in several locales the first one counts. */
function isOneVersion({ locales }: Query): boolean {
  return locales === 'all' || locales.length === 1
}

function planMatch(query: Query, target: ReadTarget, standing: Standing): Condition {
  const conditions: Condition[] = []
  if (typeof target.of === 'object') {
    conditions.push(
      'id' in target.of
        ? equals('_id', { as: 'number', value: target.of.id })
        : equals('documentId', { as: 'text', value: target.of.documentId }),
    )
  }
  const { locales, filter } = query
  if (locales !== 'all') conditions.push(inLocales(locales))
  if (filter !== null) conditions.push(planCondition(filter, standing))
  return { kind: 'all', of: conditions }
}

function inLocales(codes: readonly string[]): Condition {
  const values = codes.map((value): Value => ({ as: 'text', value }))
  return { kind: 'test', path: 'locale', test: { op: 'in', values } }
}

function equals(path: string, value: Value): Condition {
  return { kind: 'test', path, test: { op: 'in', values: [value] } }
}
