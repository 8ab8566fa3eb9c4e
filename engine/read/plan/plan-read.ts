import { fail } from '../../errors.js'
import type { Query } from '../resolve/query.js'
import { collectionOf } from '../../schema/content-type.js'
import type { Value } from '../../values/value-test.js'
import type { FactsOf } from '../cost/collection-facts.js'
import { nothingKnown } from '../cost/collection-facts.js'
import { costOf, costParts, leastTime } from '../cost/cost.js'
import { unitMs } from '../cost/cost-units.js'
import { keyBounds, maxRanked, maxRankedPopulated } from '../cost/ids-or-lookup.js'
import type { Condition, Constants, LinkPlan, NodePlan, ReadPlan, TotalPlan } from './read-plan.js'
import { shortcutsOf } from '../cost/shortcuts.js'
import type { QueryPlan } from './plan-query.js'

/** The options of a read that are not part of its query. */
export type ReadTarget = Readonly<{
  /** `single`: the document of a single type. `id`: a record id. */
  of: 'list' | 'groups' | 'single' | Readonly<{ documentId: string }> | Readonly<{ id: number }>
  envelope: 'content' | 'bare'
  /** Members with the same values in each entry. They are shown after the entry's own members. */
  constants?: Constants | undefined
  format: 'flat' | 'v4'
  /** How URLs of files are shown; absent: as they are stored. */
  links?: LinkPlan | undefined
  maxPopulatedEntries: number
  maxAnswerBytes: number
  /** Limit of `costOf`; 0: neither the cost nor the estimated time is limited. */
  maxCost: number
  timeoutMs: number
  /** See `ReadPlan.fromPrimary` and `ReadPlan.snapshot`. */
  fromPrimary?: boolean | undefined
  snapshot?: boolean | undefined
  shownUpTo?: number | undefined
  /** Whether the database knows the size of a collection without counting. */
  exactMetadata: boolean
  /** Absent: nothing is known. */
  factsOf?: FactsOf | undefined
}>

/** Plans a read; pure. Throws a 400 with the most expensive parts of a plan that exceeds `maxCost` or `timeoutMs`. */
export function planRead(planned: QueryPlan, target: ReadTarget): ReadPlan {
  const { query, relations } = planned
  const { factsOf = nothingKnown, constants } = target
  const node = constants === undefined ? planned.node : { ...planned.node, constants }
  const { type, status, page, chain } = query
  const groups = planned.groups && { ...planned.groups, withTotal: page.withCount }
  const list = target.of === 'list' || groups !== undefined
  const isCounted = list && groups === undefined && target.envelope === 'content'
  const total = isCounted ? planTotal(query, target) : 'none'
  const sought = {
    collection: collectionOf(type, status),
    match: planMatch(planned, target),
    chain: type.localized && (chain?.length ?? 0) > 1 ? (chain ?? undefined) : undefined,
    sort: list ? planned.sort : planned.firstBy,
    skip: list ? page.start : 0,
    limit: list ? page.limit : 1,
    pagination: list && target.envelope === 'content' ? { by: page.by, total } : null,
  }
  const shortcuts = list && groups === undefined ? shortcutsOf(sought, factsOf) : undefined
  const found = {
    ...sought,
    shortcuts,
    groups,
    node: groups === undefined ? node : nothingShown,
    maxPopulatedEntries: target.maxPopulatedEntries,
    maxAnswerBytes: target.maxAnswerBytes,
  }
  const estimate = costOf(found, factsOf)
  if (target.maxCost > 0) checkCost(found, estimate.cost, target)
  return Object.freeze({
    kind: 'read',
    answer: list ? 'list' : 'one',
    envelope: target.envelope,
    format: target.format,
    links: target.links,
    ...found,
    maxKeys: keyBounds(relations, total),
    maxRanked: {
      listed: maxRanked(groups?.keys ?? found.sort, estimate.found),
      populated: maxRankedPopulated,
    },
    timeoutMs: target.timeoutMs,
    fromPrimary: target.fromPrimary,
    snapshot: target.snapshot,
    shownUpTo: target.shownUpTo,
    cost: estimate.cost,
    totalCost: estimate.totalCost,
    answerBytes: estimate.answerBytes,
  })
}

/** An aggregation shows no members of entries. */
const nothingShown: NodePlan = Object.freeze({
  members: [],
  localized: false,
  entry: true,
  component: null,
})

const maxPartsShown = 5

function checkCost(
  found: Parameters<typeof costOf>[0],
  cost: number,
  { maxCost, timeoutMs, factsOf = nothingKnown }: ReadTarget,
): void {
  const refusal = (what: string, bound: string, limit: number): Error => {
    const dearest = costParts(found, factsOf).slice(0, maxPartsShown)
    const details = { bound, limit, cost: Math.round(cost), dearest }
    return fail('limit-exceeded', { what, bound, limit }, details)
  }
  if (cost > maxCost)
    throw refusal(`The estimated cost of ${Math.round(cost)}`, 'api.rest.maxCost', maxCost)
  if (cost * unitMs <= timeoutMs) return
  const ms = Math.round(leastTime(found, factsOf))
  if (ms > timeoutMs)
    throw refusal(`The estimated time of ${ms} ms`, 'api.rest.queryTimeoutMs', timeoutMs)
}

/** A collection's metadata counts every document, so it is only used for a list of all documents. */
function planTotal({ page, locales, filter }: Query, { exactMetadata }: ReadTarget): TotalPlan {
  if (!page.withCount) return 'none'
  return exactMetadata && locales === 'all' && filter === null ? 'metadata' : 'count'
}

function planMatch({ conditions }: QueryPlan, { of }: ReadTarget): Condition {
  if (typeof of !== 'object') return { kind: 'all', of: conditions }
  const key =
    'id' in of
      ? equals('_id', { as: 'number', value: of.id })
      : equals('documentId', { as: 'text', value: of.documentId })
  return { kind: 'all', of: [key, ...conditions] }
}

function equals(path: string, value: Value): Condition {
  return { kind: 'test', path, test: { op: 'in', values: [value] } }
}
