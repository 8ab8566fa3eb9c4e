import type { Document } from 'mongodb'
import type { BoundCondition } from '../plan/bound-condition.js'
import type { BoundSortKey } from '../plan/bound-sort.js'
import type { EdgePlan, Link, ReadPlan } from '../plan/read-plan.js'
import { documentKey } from '../plan/read-plan.js'
import { compileCondition } from './join.js'
import { compileLocale, dependsOnHolder } from './link.js'
import { compileProjection } from './project.js'
import { compileSort, looksUp } from './sort.js'

/** The page: match, sort, cut, and only then project. */
export function compilePage(
  plan: ReadPlan,
  match: BoundCondition,
  keys: readonly BoundSortKey[],
): Document[] {
  const one = plan.answer === 'one'
  const { own, joins } = compileCondition(match)
  const sort = keys.length === 0 ? [] : compileSort(plan.collection, keys)
  // Behind a sort, targets are looked up until the page is full and no further. A sort that looks up
  // something for every entry itself is the exception: the fewer the better.
  const isLookedUp = keys.some(looksUp)
  return [
    { $match: own },
    ...(isLookedUp ? [...joins, ...sort] : [...sort, ...joins]),
    ...(plan.skip === 0 ? [] : [{ $skip: plan.skip }]),
    { $limit: plan.limit },
    { $project: compileProjection(plan.node, one ? ['_revision'] : []) },
  ]
}

/** How many entries the list has in all. */
export function compileTotal(match: BoundCondition): Document[] {
  const { own, joins } = compileCondition(match)
  return [{ $match: own }, ...joins, { $count: 'total' }]
}

/** The holders of one edge on one level: what a batch is asked for. */
export type Holders = Readonly<{
  /** documentIds to fetch (`here`), or of the holders themselves (`there`, `sibling`). */
  documentIds: readonly string[]
  /** Locales of the holders, where targets follow it. */
  locales: readonly string[]
}>

/**
 * One batch for an edge: each distinct target once, whatever the number of holders. `limit` bounds
 * what is fetched; one more than may be shown, so that an excess is noticed.
 */
export function compileEdge(
  edge: EdgePlan,
  holders: Holders,
  { match, sort }: Readonly<{ match: BoundCondition; sort: readonly BoundSortKey[] }>,
  limit: number,
): Document[] {
  const { link } = edge
  const references =
    link.stored === 'there' ? [`${link.path}.documentId`, `${link.path}.order`] : []
  return [
    ...compileTargets(link, holders, match),
    ...(sort.length === 0 ? [] : compileSort(link.collection, sort)),
    { $limit: limit },
    {
      $project: edge.count
        ? compileCountProjection(references)
        : compileProjection(edge.node, references),
    },
  ]
}

/** How many targets each holder has, where they hold the references. */
export function compileCounts(
  { link }: EdgePlan,
  holders: Holders,
  match: BoundCondition,
): Document[] {
  const locale = dependsOnHolder(link) ? '$locale' : { $literal: null }
  return [
    ...compileTargets(link, holders, match),
    { $project: { _id: 0, documentId: `$${link.path}.documentId`, locale } },
    { $unwind: '$documentId' },
    { $match: { documentId: { $in: holders.documentIds } } },
    {
      $group: { _id: { documentId: '$documentId', locale: '$locale' }, count: { $sum: 1 } },
    },
  ]
}

/** A row as it came: a holder's `documentKey`, and its count. */
export function readCountRow(row: Document): [string, number] {
  const { documentId, locale } = row['_id'] as { documentId: string; locale: string | null }
  return [documentKey(documentId, locale), Number(row['count'])]
}

/** The targets of some holders that satisfy a condition. */
function compileTargets(link: Link, holders: Holders, match: BoundCondition): Document[] {
  const { own, joins } = compileCondition(match)
  return [
    {
      $match: {
        [link.stored === 'there' ? `${link.path}.documentId` : 'documentId']: {
          $in: holders.documentIds,
        },
        ...compileLocale(link.locale, holders.locales),
        ...(Object.keys(own).length === 0 ? {} : { $and: [own] }),
      },
    },
    ...joins,
  ]
}

function compileCountProjection(references: readonly string[]): Document {
  const fields = Object.fromEntries(references.map((path) => [path, 1]))
  return { _id: 1, documentId: 1, locale: 1, ...fields }
}
