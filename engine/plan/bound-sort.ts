import type { Link, SortKey } from './read-plan.js'

/** A sort key as entries are sorted by it: by what they hold, by what they look up, or by ranks. */
export type BoundSortKey = SortKey | RankedKey

/**
 * A sort key behind a relation whose targets have been put in order beforehand: an entry is sorted by
 * the rank of its target, or of the first of several. Targets without a value have rank 0, as
 * entries without a target do.
 */
export type RankedKey = Readonly<{
  link: Link
  /** The targets by what entries know them by (`documentKey`), and in the same order their ranks. */
  keys: readonly string[]
  ranks: readonly number[]
  direction: 1 | -1
}>

/** Other versions of the same document are told by what the entry is, not by what it holds. */
export function canBeRanked({ stored, locale }: Link): boolean {
  return stored !== 'sibling' && locale.kind !== 'other'
}
