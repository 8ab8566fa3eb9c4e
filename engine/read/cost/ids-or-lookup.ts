import type { ReadPlan, TotalPlan, SortKey } from '../plan/read-plan.js'

/**
 * Maximum number of target ids that are read in advance for all relations in a list's filter. Above it, a lookup checks
 * each entry instead. There is one limit for lists without a total, and one for lists with a total.
 *
 * Measured with the embedded engine on 100,000 sources and 200,000 targets, of which K match the filter. Times are in
 * milliseconds: medians of 5 runs, except that totals by lookup ran once. The 2 cores were busy with other work, so
 * only ratios count.
 *
 * | K       | keys read | page, total by keys | page, total by lookup |
 * | ------- | --------- | ------------------- | --------------------- |
 * | 1,000   | 21        | 12, 8               | 741, 41,959           |
 * | 10,000  | 242       | 40, 71              | 201, 41,712           |
 * | 30,000  | 896       | 80, 292             | 71, 38,157            |
 * | 100,000 | 867       | 86, 377             | 17, 18,544            |
 *
 * A page in the order of an index stops its lookups when it is full. So beyond about 10,000 keys, reading the keys
 * takes longer than the lookups. A total looks up every entry, which takes 200 to 400 µs each. For a total, keys are
 * therefore much faster, and only the size of one command limits their number.
 */
const listedWithoutTotal = 10_000
const listedWithTotal = 300_000
/**
 * Maximum number of keys for the filters of a populated level. Such a level reads few entries, by documentId, so
 * lookups are cheap.
 */
const populated = 1_000

/**
 * Returns `ReadPlan.maxKeys` for a list. The relations of the list's filter share the limit.
 * @param relations number of relations in the filter
 */
export function keyBounds(relations: number, total: TotalPlan): ReadPlan['maxKeys'] {
  const listed = total === 'count' ? listedWithTotal : listedWithoutTotal
  return { listed: Math.floor(listed / Math.max(1, relations)), populated }
}

/**
 * Maximum number of targets per entry for which sorting the targets in advance is faster than lookups. Sorting a target
 * in advance takes 10 to 20 µs, including the time to send its rank. That is about a tenth of the time of a lookup.
 */
const targetsPerEntry = 10
/** Up to this number of targets, sorting in advance is always used. */
const least = 1_000
/**
 * Maximum number of targets that are sorted in advance. Each takes 50 bytes of a command, which is limited to 16 MB.
 */
const most = 150_000

/**
 * Returns the maximum number of targets of one relation that are sorted in advance, or read in advance for groups
 * (`ReadPlan.maxRanked`).
 * @param keys keys of the sort or of the groups
 * @param entries returns how many entries are sorted or grouped; called only if keys go through relations
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

/** `maxRanked` of populated levels, which sort few entries. */
export const maxRankedPopulated = least
