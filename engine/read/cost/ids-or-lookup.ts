import type { ReadPlan, TotalPlan, SortKey } from '../plan/read-plan.js'

/**
 * Measured on the embedded engine with 100,000 sources and 200,000 targets, of which K match the filter (milliseconds,
 * medians of 5, counts by lookup once; 2 cores, busy with other work, so that only ratios count):
 *
 * | K       | keys read | page, total by keys | page, total by lookup |
 * | ------- | --------- | ------------------- | --------------------- |
 * | 1,000   | 21        | 12, 8               | 741, 41,959           |
 * | 10,000  | 242       | 40, 71              | 201, 41,712           |
 * | 30,000  | 896       | 80, 292             | 71, 38,157            |
 * | 100,000 | 867       | 86, 377             | 17, 18,544            |
 *
 * A page in the order of an index stops its lookups when it is full. So beyond about 10,000 keys, reading the keys
 * takes longer than the lookups. A total looks up every entry, at 200 to 400 µs each. There, keys are much
 * faster, and only the size of one command limits them.
 */
const listedWithoutTotal = 10_000
const listedWithTotal = 300_000
/** A populated level reads few entries by documentId, so lookups are cheap. */
const populated = 1_000

/** Returns `ReadPlan.maxKeys` for a list whose filter goes through some relations. */
export function keyBounds(relations: number, total: TotalPlan): ReadPlan['maxKeys'] {
  const listed = total === 'count' ? listedWithTotal : listedWithoutTotal
  return { listed: Math.floor(listed / Math.max(1, relations)), populated }
}

/**
 * Sorting a target in advance takes 10 to 20 µs, including its rank in the command. That is about a tenth of the time
 * of looking up a target for an entry. So it is faster for up to ten targets per entry.
 */
const targetsPerEntry = 10
/** Up to this number of targets are always sorted in advance. */
const least = 1_000
/** Maximum number of targets: each takes 50 bytes of a command, which is limited to 16 MB. */
const most = 150_000

/**
 * Returns how many targets of one relation are sorted in advance, or read in advance for groups (`ReadPlan.maxRanked`).
 * @param keys of the sort, or of the groups
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
