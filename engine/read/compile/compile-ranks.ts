import type { Document } from 'mongodb'
import { MinKey } from 'mongodb'
import type { RankedKey } from '../plan/bound-query.js'
import {
  compileLocale,
  compileReferred,
  compileType,
  dependsOnParent,
  keepVisibleTargets,
} from './compile-lookup.js'
import type { Link, SortKey } from '../plan/read-plan.js'

/** A ranked target, with one rank per sort value and the number of references to it. */
export type RankRow = Readonly<{
  documentId: string
  locale: string | null
  ranks: readonly number[]
  count: number
}>

/** A value to sort targets by: a stored field, or one that `stages` add. */
export type RankedValue = Readonly<{
  field: string
  stages: readonly Document[]
  direction: SortKey['direction']
}>

/** Stands for a missing value. Like null, it sorts first. `$min` and `$max` ignore null, but not this value. */
const least = new MinKey()
const leastValue = { $literal: least }

/**
 * Compiles the stages that rank the targets of a link by each value. Equal values have equal ranks; a missing value has
 * rank 0. If the targets store the references (`there`), the stages rank the entries to which the targets refer
 * instead: each by the first of its targets in the sort order.
 * @param limit maximum number of references that are read
 */
export function compileRanks(
  link: Link,
  values: readonly RankedValue[],
  limit: number,
): Document[] {
  const isThere = link.stored === 'there'
  const locale = dependsOnParent(link) ? '$locale' : { $literal: null }
  const documentId = isThere ? compileReferred(link) : '$documentId'
  const each = <T>(make: (value: RankedValue, index: number) => readonly [string, T]) =>
    Object.fromEntries(values.map(make))
  const shown = each(({ field }, at) => [`value${at}`, { $ifNull: [`$${field}`, leastValue] }])
  const _id = { documentId: '$documentId', locale: '$locale' }
  const firsts = each(({ direction }, at) => [`value${at}`, firstOf(`$value${at}`, direction)])
  const ranks = values.map((_, at) => ({
    $cond: [{ $eq: [`$value${at}`, leastValue] }, 0, `$rank${at}`],
  }))
  return [
    { $match: { ...compileLocale(link.locale, null), ...compileType(link) } },
    ...keepVisibleTargets(link),
    ...values.flatMap(({ stages }) => stages),
    { $project: { _id: 0, documentId, locale, ...shown } },
    ...(isThere ? [{ $unwind: '$documentId' }] : []),
    { $limit: limit },
    { $group: { _id, ...firsts, count: { $sum: 1 } } },
    ...values.map((_, at) => ({
      $setWindowFields: {
        sortBy: { [`value${at}`]: 1 },
        output: { [`rank${at}`]: { $denseRank: {} } },
      },
    })),
    { $project: { count: 1, ranks } },
  ]
}

export function readRankRow(row: Document): RankRow {
  const { documentId, locale } = row['_id'] as Pick<RankRow, 'documentId' | 'locale'>
  const ranks = (row['ranks'] as readonly unknown[]).map(Number)
  return { documentId, locale, ranks, count: Number(row['count']) }
}

/**
 * Expression: the rank of an entry's target. If the entry has several targets, their first rank in the sort order.
 * MongoDB searches a constant list by hash:
 * https://www.mongodb.com/docs/manual/reference/operator/aggregation/indexOfArray/
 */
export function compileRank({ link, lists, keys, ranks, direction }: RankedKey): Document {
  // For a missing key, `$indexOfArray` returns -1, which selects the last element: null.
  const places = { $literal: [...ranks.map((rank) => (rank === 0 ? least : rank)), null] }
  const rankOf = (documentId: string): Document => {
    const key = dependsOnParent(link) ? { $concat: [documentId, ' ', '$locale'] } : documentId
    return { $arrayElemAt: [places, { $indexOfArray: [{ $literal: keys }, key] }] }
  }
  const rankBy = (references: string): Document => {
    if (!link.many || link.stored !== 'here') return { $ifNull: [rankOf(references), leastValue] }
    const all = { $map: { input: references, as: 'target', in: rankOf('$$target') } }
    return { $ifNull: [firstOf(all, direction), leastValue] }
  }
  if (link.stored !== 'here') return rankBy('$documentId')
  const [path, elements] = compileElements(lists, `${link.path}.documentId`)
  if (elements === null) return rankBy(`$${path}`)
  const all = { $map: { input: elements, as: 'element', in: rankBy(`$$element.${path}`) } }
  return firstOf(all, direction)
}

/** Expression: the value that sorts first at a path in nested lists. */
export function compileFirst(
  lists: readonly string[],
  path: string,
  direction: SortKey['direction'],
): Document {
  const [field, input] = compileElements(lists, path)
  const value = { $ifNull: [`$$element.${field}`, leastValue] }
  return firstOf({ $map: { input, as: 'element', in: value } }, direction)
}

const firstOf = (values: unknown, direction: SortKey['direction']): Document => ({
  [direction === 1 ? '$min' : '$max']: values,
})

/**
 * Returns the path within an element of the innermost list, and an expression of all these elements in one list. As in
 * an outer join, an empty list yields one element, null. If `lists` is empty, the expression is null.
 */
function compileElements(lists: readonly string[], path: string): readonly [string, unknown] {
  let elements: unknown = null
  let within = ''
  for (const list of lists) {
    const field = list.slice(within.length)
    const joined = { $concatArrays: ['$$value', listAt(`$$this.${field}`)] }
    elements =
      elements === null
        ? listAt(`$${field}`)
        : { $reduce: { input: elements, initialValue: [], in: joined } }
    within = `${list}.`
  }
  return [path.slice(within.length), elements]
}

function listAt(input: string): Document {
  const full = { $and: [{ $isArray: [input] }, { $ne: [input, []] }] }
  const one = { $cond: [{ $isArray: [input] }, null, { $ifNull: [input, null] }] }
  return { $cond: [full, input, [one]] }
}
