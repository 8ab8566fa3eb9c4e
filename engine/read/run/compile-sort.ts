import type { Document } from 'mongodb'
import { MinKey } from 'mongodb'
import type { BoundSortKey, RankedKey } from './bound-query.js'
import type { SortKey, SortStep, Link } from '../plan/read-plan.js'
import {
  compileLookup,
  compileLocale,
  dependsOnHolder,
  compileReferred,
  compileType,
} from './compile-lookup.js'

/**
 * The stages that sort a collection. A key behind links or lists has to be known of every entry before the
 * page is cut: by a rank that its target has, or looked up. MongoDB would sort by one list itself, but by
 * no two of them.
 */
export function compileSort(collection: string, keys: readonly BoundSortKey[]): Document[] {
  const named = keys.map((key, index) => ({ key, name: fieldOf(key, `_sort${index}`) }))
  return [
    ...named.flatMap(({ key, name }) => compileSortValue(collection, key, name)),
    { $sort: Object.fromEntries(named.map(({ key, name }) => [name, key.direction])) },
  ]
}

/** Whether something is looked up for every entry that is sorted. */
export function looksUp(key: BoundSortKey): boolean {
  return !('ranks' in key) && key.through.length > 0
}

/** The field that holds what an entry is sorted by; `made` where it has to be made. */
export function fieldOf(key: BoundSortKey, made: string): string {
  return 'ranks' in key || key.through.length > 0 ? made : key.path
}

/** The stages that make the field. */
export function compileSortValue(collection: string, key: BoundSortKey, name: string): Document[] {
  if ('ranks' in key) return [{ $set: { [name]: compileRank(key) } }]
  const { through, path, direction } = key
  if (through.length === 0) return []
  const first = { $first: { $sortArray: { input: `$${name}.value`, sortBy: direction } } }
  return [...lookUpValues(collection, through, path, name), { $set: { [name]: first } }]
}

/** The values at `path` behind the steps, as a list of `{ value }` in the field `name`. */
function lookUpValues(
  collection: string,
  steps: readonly SortStep[],
  path: SortKey['path'],
  name: string,
): Document[] {
  const [step, ...rest] = steps
  if (step?.kind !== 'link') {
    // Lists are unwound in a copy of the entry.
    const copy = { from: collection, localField: '_id', foreignField: '_id' }
    return [{ $lookup: { ...copy, pipeline: compileSteps(collection, steps, path), as: name } }]
  }
  return compileLookup(step.link, compileSteps(step.link.collection, rest, path), name)
}

/** An entry to its `{ value }`s: one at least, of null where there is none. */
function compileSteps(collection: string, steps: readonly SortStep[], path: string): Document[] {
  const [step, ...rest] = steps
  if (step === undefined) return [showValue(path)]
  if (step.kind === 'list') return [unwind(step.path), ...compileSteps(collection, rest, path)]
  return [
    ...lookUpValues(collection, steps, path, '_next'),
    unwind('_next'),
    showValue('_next.value'),
  ]
}

const unwind = (path: string): Document => ({
  $unwind: { path: `$${path}`, preserveNullAndEmptyArrays: true },
})

const showValue = (path: string): Document => ({
  $project: { _id: 0, value: { $ifNull: [`$${path}`, null] } },
})

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
  const entry = isThere ? compileReferred(link) : '$documentId'
  const target = { documentId: entry, locale, value: { $ifNull: [`$${field}`, leastValue] } }
  const _id = { documentId: '$documentId', locale: '$locale' }
  const first = { [direction === 1 ? '$min' : '$max']: '$value' }
  return [
    { $match: { ...compileLocale(link.locale, null), ...compileType(link) } },
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
function compileRank({ link, keys, ranks, direction }: RankedKey): Document {
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
