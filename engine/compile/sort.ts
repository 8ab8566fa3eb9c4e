import type { Document } from 'mongodb'
import type { SortKey, SortStep } from '../plan/read-plan.js'
import { compileLookup } from './link.js'

/**
 * The stages that sort a collection. A key behind links or lists is looked up first: it has to be known
 * of every entry before the page is cut. MongoDB would sort by one list itself, but by no two of them.
 */
export function compileSort(collection: string, keys: readonly SortKey[]): Document[] {
  const lookups: Document[] = []
  const order: Record<string, 1 | -1> = {}
  for (const [index, { through, path, direction }] of keys.entries()) {
    const name = through.length === 0 ? path : `_sort${index}`
    order[name] = direction
    if (through.length === 0) continue
    const first = { $first: { $sortArray: { input: `$${name}.value`, sortBy: direction } } }
    lookups.push(lookUpValues(collection, through, path, name), { $set: { [name]: first } })
  }
  return [...lookups, { $sort: order }]
}

/** The values at `path` behind the steps, as a list of `{ value }` in the field `name`. */
function lookUpValues(
  collection: string,
  steps: readonly SortStep[],
  path: string,
  name: string,
): Document {
  const [step, ...rest] = steps
  if (step?.kind !== 'link') {
    // Lists are unwound in a copy of the entry.
    const copy = { from: collection, localField: '_id', foreignField: '_id' }
    return { $lookup: { ...copy, pipeline: compileSteps(collection, steps, path), as: name } }
  }
  return compileLookup(step.link, compileSteps(step.link.collection, rest, path), name)
}

/** An entry to its `{ value }`s: one at least, of null where there is none. */
function compileSteps(collection: string, steps: readonly SortStep[], path: string): Document[] {
  const [step, ...rest] = steps
  if (step === undefined) return [showValue(path)]
  if (step.kind === 'list') return [unwind(step.path), ...compileSteps(collection, rest, path)]
  return [lookUpValues(collection, steps, path, '_next'), unwind('_next'), showValue('_next.value')]
}

const unwind = (path: string): Document => ({
  $unwind: { path: `$${path}`, preserveNullAndEmptyArrays: true },
})

const showValue = (path: string): Document => ({
  $project: { _id: 0, value: { $ifNull: [`$${path}`, null] } },
})
