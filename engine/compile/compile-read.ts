import type { Document } from 'mongodb'
import type { BoundCondition } from '../plan/bound-condition.js'
import type { EdgePlan, Link, LocaleRule, ReadPlan } from '../plan/read-plan.js'
import { compileMatch } from './match.js'
import { compileProjection } from './project.js'
import { compileSort } from './sort.js'

/** The page: match, sort, cut, and only then project. */
export function compilePage(plan: ReadPlan, match: BoundCondition): Document[] {
  const one = plan.answer === 'one'
  return [
    { $match: compileMatch(match) },
    ...(plan.sort.length === 0 ? [] : compileSort(plan.collection, plan.sort)),
    ...(plan.skip === 0 ? [] : [{ $skip: plan.skip }]),
    { $limit: plan.limit },
    { $project: compileProjection(plan.node, one ? ['_revision'] : []) },
  ]
}

/** How many entries the list has in all. */
export function compileTotal(match: BoundCondition): Document[] {
  return [{ $match: compileMatch(match) }, { $count: 'total' }]
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
  match: BoundCondition | null,
  limit: number,
): Document[] {
  const { link } = edge
  const references =
    link.stored === 'there' ? [`${link.path}.documentId`, `${link.path}.order`] : []
  const filter = match === null ? {} : compileMatch(match)
  return [
    {
      $match: {
        [link.stored === 'there' ? `${link.path}.documentId` : 'documentId']: {
          $in: holders.documentIds,
        },
        ...compileLocale(link.locale, holders.locales),
        ...(Object.keys(filter).length === 0 ? {} : { $and: [filter] }),
      },
    },
    ...(edge.sort.length === 0 ? [] : compileSort(link.collection, edge.sort)),
    { $limit: limit },
    {
      $project: edge.count
        ? compileCountProjection(references)
        : compileProjection(edge.node, references),
    },
  ]
}

function compileCountProjection(references: readonly string[]): Document {
  const fields = Object.fromEntries(references.map((path) => [path, 1]))
  return { _id: 1, documentId: 1, locale: 1, ...fields }
}

/** `holders`: the locales of the holders; null where they are not known yet. */
function compileLocale(rule: LocaleRule, holders: readonly string[] | null): Document {
  switch (rule.kind) {
    case 'none':
      return {}
    case 'fixed':
      return { locale: rule.code }
    case 'any':
    case 'other':
      return { locale: { $in: rule.among } }
    case 'same':
      if (holders === null) return {}
      return { locale: holders.length === 1 ? holders[0] : { $in: holders } }
  }
}

/**
 * The documentIds by which holders are recognised whose targets satisfy a condition: those of the
 * targets (`here`, `sibling`), or those that the targets refer to (`there`). Where holders of different
 * locales see different targets they come as `{ key, locale }`, with the locale of the targets.
 */
export function compileKeys(link: Link, match: BoundCondition, limit: number): Document[] {
  const field = link.stored === 'there' ? `$${link.path}.documentId` : '$documentId'
  return [
    { $match: { $and: [compileLocale(link.locale, null), compileMatch(match)] } },
    ...(link.stored === 'there' ? [{ $unwind: `$${link.path}` }] : []),
    { $group: { _id: dependsOnHolder(link) ? { key: field, locale: '$locale' } : field } },
    { $limit: limit },
  ]
}

/**
 * The same of the documents whose draft was written after their published version: both collections
 * are gone through once, and their versions put together.
 */
export function compileModified(link: Link, drafts: string, limit: number): Document[] {
  const version = { documentId: 1, locale: 1 }
  const match = { $match: compileLocale(link.locale, null) }
  return [
    match,
    { $project: { ...version, published: '$updatedAt' } },
    {
      $unionWith: {
        coll: drafts,
        pipeline: [match, { $project: { ...version, draft: '$updatedAt' } }],
      },
    },
    {
      $group: {
        _id: { key: '$documentId', locale: '$locale' },
        published: { $max: '$published' },
        draft: { $max: '$draft' },
      },
    },
    // Null comes before every date.
    { $match: { published: { $ne: null }, $expr: { $gt: ['$draft', '$published'] } } },
    { $project: { _id: dependsOnHolder(link) ? 1 : '$_id.key' } },
    { $limit: limit },
  ]
}

/** Whether holders of different locales see different targets. */
export function dependsOnHolder({ locale }: Link): boolean {
  return locale.kind === 'same' || locale.kind === 'other'
}
