import type { Document } from 'mongodb'
import { MinKey } from 'mongodb'
import type { RankedKey } from './bound-query.js'
import {
  compileLocale,
  compileReferred,
  compileType,
  dependsOnHolder,
  keepSeen,
} from './compile-lookup.js'
import type { Link, SortKey } from '../plan/read-plan.js'

/** What a row of `compileRanks` holds: a key of entries, by each of the values its rank, and how many references had it. */
export type RankRow = Readonly<{
  documentId: string
  locale: string | null
  ranks: readonly number[]
  count: number
}>

/** Of a target, what is sorted by: a field, and the stages that make it. */
export type RankedValue = Readonly<{
  field: string
  stages: readonly Document[]
  direction: SortKey['direction']
}>

/** Comes before every value, as null does, and is not passed over by `$min` and `$max`. */
const least = new MinKey()
const leastValue = { $literal: least }

/**
 * The targets of a link in the order of each of some values, as ranks: equal values have equal ones, and no value
 * has 0. Where the targets hold the references, those of one entry become the first of them.
 * @param limit references that are looked at
 */
export function compileRanks(
  link: Link,
  values: readonly RankedValue[],
  limit: number,
): Document[] {
  const isThere = link.stored === 'there'
  const locale = dependsOnHolder(link) ? '$locale' : { $literal: null }
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
    ...keepSeen(link),
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

/** A row as it came. */
export function readRankRow(row: Document): RankRow {
  const { documentId, locale } = row['_id'] as Pick<RankRow, 'documentId' | 'locale'>
  const ranks = (row['ranks'] as readonly unknown[]).map(Number)
  return { documentId, locale, ranks, count: Number(row['count']) }
}

/**
 * The rank of an entry: that of its target, or the first of several. MongoDB searches a constant list by a
 * hash of its elements: https://www.mongodb.com/docs/manual/reference/operator/aggregation/indexOfArray/
 */
export function compileRank({ link, lists, keys, ranks, direction }: RankedKey): Document {
  // What is not found is at -1, which is the last element.
  const places = { $literal: [...ranks.map((rank) => (rank === 0 ? least : rank)), null] }
  const rankOf = (documentId: string): Document => {
    const key = dependsOnHolder(link) ? { $concat: [documentId, ' ', '$locale'] } : documentId
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

/** Of the values at a path in the elements of lists the one that comes first. */
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
 * The elements of lists, each list in the elements of the one before, and a path as it is written from them on.
 * An empty list has one, which has no value, as in an outer join. Null where there is no list.
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
