import type { Document } from 'mongodb'
import type { BoundSortKey } from '../plan/bound-query.js'
import { listsBefore } from '../plan/bound-query.js'
import { compileLookup, unwind } from './compile-lookup.js'
import { compileFirst, compileRank } from './compile-ranks.js'
import type { SortKey, SortStep } from '../plan/read-plan.js'

/**
 * Compiles the stages that add sort fields, and the order. A sort key through relations or lists needs a field in every
 * entry before the page is selected. MongoDB can sort by one list without such a field, but not by two.
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

/** Whether a sort key needs a lookup for every entry. */
export function usesLookup(key: BoundSortKey): boolean {
  return !('ranks' in key) && key.through.some(({ kind }) => kind === 'link')
}

/** Returns the field to sort by; `made` if a stage has to add it. */
export function fieldOf(key: BoundSortKey, made: string): string {
  return 'ranks' in key || key.through.length > 0 ? made : key.path
}

/** Compiles the stages that add the value of a sort key as the field `name`. */
export function compileSortValue(collection: string, key: BoundSortKey, name: string): Document[] {
  if ('ranks' in key) return [{ $set: { [name]: compileRank(key) } }]
  const { through, path, direction } = key
  if (through.length === 0) return []
  const lists = listsBefore(through)
  if (lists.length === through.length)
    return [{ $set: { [name]: compileFirst(lists, path, direction) } }]
  const first = { $first: { $sortArray: { input: `$${name}.value`, sortBy: direction } } }
  return [...compileValueLookup(collection, through, path, name), { $set: { [name]: first } }]
}

/**
 * Compiles the stages that go through `steps` to the values at `path`, and add these values as a list of `{ value }`.
 */
function compileValueLookup(
  collection: string,
  steps: readonly SortStep[],
  path: SortKey['path'],
  name: string,
): Document[] {
  const [step, ...rest] = steps
  if (step?.kind !== 'link') {
    // Look up the entry itself, because `$unwind` would multiply it.
    const copy = { from: collection, localField: '_id', foreignField: '_id' }
    return [{ $lookup: { ...copy, pipeline: compileSteps(collection, steps, path), as: name } }]
  }
  return compileLookup(step.link, compileSteps(step.link.collection, rest, path), name)
}

/**
 * Compiles the stages that map an entry to a document `{ value }` for each value, or to `{ value: null }` if it has
 * none.
 */
function compileSteps(collection: string, steps: readonly SortStep[], path: string): Document[] {
  const [step, ...rest] = steps
  if (step === undefined) return [showValue(path)]
  if (step.kind === 'list') return [unwind(step.path), ...compileSteps(collection, rest, path)]
  return [
    ...compileValueLookup(collection, steps, path, '_next'),
    unwind('_next'),
    showValue('_next.value'),
  ]
}

const showValue = (path: string): Document => ({
  $project: { _id: 0, value: { $ifNull: [`$${path}`, null] } },
})
