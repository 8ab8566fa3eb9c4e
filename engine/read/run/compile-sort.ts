import type { Document } from 'mongodb'
import type { BoundSortKey } from './bound-query.js'
import { listsBefore } from './bound-query.js'
import { compileLookup } from './compile-lookup.js'
import { compileFirst, compileRank } from './compile-ranks.js'
import type { SortKey, SortStep } from '../plan/read-plan.js'

/**
 * The stages that make what entries are sorted by, and the order by it. A key behind links or lists has to be known
 * of every entry before the page is cut: by a rank that its target has, looked up, or the first of a list. MongoDB
 * would sort by one list itself, but by no two of them.
 */
export function compileOrder(
  collection: string,
  keys: readonly BoundSortKey[],
): Readonly<{ stages: Document[]; order: Record<string, 1 | -1> }> {
  const named = keys.map((key, index) => ({ key, name: fieldOf(key, `_sort${index}`) }))
  return {
    stages: named.flatMap(({ key, name }) => compileSortValue(collection, key, name)),
    order: Object.fromEntries(named.map(({ key, name }) => [name, key.direction])),
  }
}

/** Whether something is looked up for every entry that is sorted. */
export function looksUp(key: BoundSortKey): boolean {
  return !('ranks' in key) && key.through.some(({ kind }) => kind === 'link')
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
  const lists = listsBefore(through)
  if (lists.length === through.length)
    return [{ $set: { [name]: compileFirst(lists, path, direction) } }]
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
