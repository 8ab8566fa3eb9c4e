import type { Document } from 'mongodb'
import { MinKey } from 'mongodb'
import type { RankedKey } from '../plan/bound-sort.js'
import type { Link, SortKey } from '../plan/read-plan.js'
import { compileLocale, dependsOnHolder } from './link.js'

/** What a row of `compileRanks` holds: a key of entries, and how many references had it. */
export type RankRow = Readonly<{
  documentId: string
  locale: string | null
  rank: number
  count: number
}>

/** Comes before every value, as null does, and is not passed over by `$min` and `$max`. */
const least = new MinKey()
const leastValue = { $literal: least }

/**
 * The targets of a link in the order of a value, as ranks: equal values have equal ones, and no value
 * has 0. Where the targets hold the references, those of one entry become the first of them.
 * @param field of a target, what is sorted by; `stages` make it
 * @param limit references that are looked at
 */
export function compileRanks(
  link: Link,
  { field, stages }: Readonly<{ field: string; stages: readonly Document[] }>,
  { direction, limit }: Readonly<{ direction: SortKey['direction']; limit: number }>,
): Document[] {
  const isThere = link.stored === 'there'
  const locale = dependsOnHolder(link) ? '$locale' : { $literal: null }
  const entry = isThere ? `$${link.path}.documentId` : '$documentId'
  const target = { documentId: entry, locale, value: { $ifNull: [`$${field}`, leastValue] } }
  const _id = { documentId: '$documentId', locale: '$locale' }
  const first = { [direction === 1 ? '$min' : '$max']: '$value' }
  return [
    { $match: compileLocale(link.locale, null) },
    ...stages,
    { $project: { _id: 0, ...target } },
    ...(isThere ? [{ $unwind: '$documentId' }] : []),
    { $limit: limit },
    { $group: { _id, value: first, count: { $sum: 1 } } },
    { $setWindowFields: { sortBy: { value: 1 }, output: { rank: { $denseRank: {} } } } },
    { $project: { count: 1, rank: { $cond: [{ $eq: ['$value', leastValue] }, 0, '$rank'] } } },
  ]
}

/** A row as it came. */
export function readRankRow(row: Document): RankRow {
  const { documentId, locale } = row['_id'] as Pick<RankRow, 'documentId' | 'locale'>
  return { documentId, locale, rank: Number(row['rank']), count: Number(row['count']) }
}

/**
 * The rank of an entry: that of its target, or the first of several. MongoDB searches a constant list by a
 * hash of its elements: https://www.mongodb.com/docs/manual/reference/operator/aggregation/indexOfArray/
 */
export function compileRank({ link, keys, ranks, direction }: RankedKey): Document {
  // What is not found is at -1, which is the last element.
  const places = { $literal: [...ranks.map((rank) => (rank === 0 ? least : rank)), null] }
  const rankOf = (documentId: string): Document => {
    const key = dependsOnHolder(link) ? { $concat: [documentId, ' ', '$locale'] } : documentId
    return { $arrayElemAt: [places, { $indexOfArray: [{ $literal: keys }, key] }] }
  }
  if (link.stored !== 'here') return { $ifNull: [rankOf('$documentId'), leastValue] }
  const references = `$${link.path}.documentId`
  if (!link.many) return { $ifNull: [rankOf(references), leastValue] }
  const all = { $map: { input: references, as: 'target', in: rankOf('$$target') } }
  return { $ifNull: [{ [direction === 1 ? '$min' : '$max']: all }, leastValue] }
}
