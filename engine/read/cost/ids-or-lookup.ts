import type { ReadPlan, TotalPlan, SortKey } from '../plan/read-plan.js'

/**
 * Measured on the embedded engine with 100,000 holders and 200,000 targets, of which K satisfy the filter
 * (milliseconds, medians of 5, counts by lookup once; 2 cores, busy with other work, so that only ratios count):
 *
 * | K       | keys read | page, total by keys | page, total by lookup |
 * | ------- | --------- | ------------------- | --------------------- |
 * | 1,000   | 21        | 12, 8               | 741, 41,959           |
 * | 10,000  | 242       | 40, 71              | 201, 41,712           |
 * | 30,000  | 896       | 80, 292             | 71, 38,157            |
 * | 100,000 | 867       | 86, 377             | 17, 18,544            |
 *
 * A page in the order of an index ends its lookups when it is full, so beyond about 10,000 keys reading them
 * takes longer than doing without. A total looks up every entry, at 200 to 400 µs each: keys win by far, and
 * are bounded by what one command may hold.
 */
const listedWithoutTotal = 10_000
const listedWithTotal = 300_000
/** A populated level asks for few entries, by their documentIds: looking up is cheap. */
const populated = 1_000

/** `ReadPlan.maxKeys` of a list whose filter goes through so many relations. */
export function keyBounds(relations: number, total: TotalPlan): ReadPlan['maxKeys'] {
  const listed = total === 'count' ? listedWithTotal : listedWithoutTotal
  return { listed: Math.floor(listed / Math.max(1, relations)), populated }
}

/**
 * Putting a target in order takes about a tenth of what it takes to look one up for an entry (10 to 20 µs,
 * its place in the command that sorts by it included), so it pays for up to ten targets an entry.
 */
const targetsPerEntry = 10
/** An engine is not worth asking for less. */
const least = 1_000
/** A target takes 50 bytes of a command, which may have 16 MB. */
const most = 150_000

/**
 * How many targets of one relation are put in order beforehand, or read for groups (`ReadPlan.maxRanked`).
 * @param keys of the sort, or of the groups
 * @param entries how many are sorted or grouped; asked for where keys go through relations
 */
export function maxRanked(
  keys: readonly Pick<SortKey, 'through'>[],
  entries: () => number,
): number {
  const relations = keys.filter(({ through }) => through.some(({ kind }) => kind === 'link')).length
  if (relations === 0) return 0
  const worthwhile = Math.max(least, Math.min(entries() * targetsPerEntry, most))
  return Math.floor(worthwhile / relations)
}

/** A populated level sorts few entries. */
export const maxRankedPopulated = least
