import type { SortKey } from './read-plan.js'

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
 * How many targets of one relation are put in order beforehand (`ReadPlan.maxRanked`).
 * @param entries how many are sorted; asked for where the sort goes through relations
 */
export function maxRanked(sort: readonly SortKey[], entries: () => number): number {
  const relations = sort.filter(({ through }) => through.length > 0).length
  if (relations === 0) return 0
  const worthwhile = Math.max(least, Math.min(entries() * targetsPerEntry, most))
  return Math.floor(worthwhile / relations)
}

/** A populated level sorts few entries. */
export const maxRankedPopulated = least
