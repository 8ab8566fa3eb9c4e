import type { ReadPlan, TotalPlan, SortKey } from '../plan/read-plan.js'

/**
 * Maximum number of target ids that are read in advance for a list's filter, without and with a total. Above it, a
 * lookup checks each entry. Measured with the embedded engine on 100,000 sources and 200,000 targets: a page in the
 * order of an index stops its lookups when it is full, so beyond about 10,000 keys, reading the keys (242 ms) takes
 * longer than the lookups (201 ms). A total looks up every entry, in 200 to 400 µs each, so only the size of one
 * command limits its keys.
 */
const listedWithoutTotal = 10_000
const listedWithTotal = 300_000
/** Populated levels read few entries, so lookups are cheap. */
const populated = 1_000

/** Returns `ReadPlan.maxKeys` for a list. The relations of its filter share the limit. */
export function keyBounds(relations: number, total: TotalPlan): ReadPlan['maxKeys'] {
  const listed = total === 'count' ? listedWithTotal : listedWithoutTotal
  return { listed: Math.floor(listed / Math.max(1, relations)), populated }
}

/**
 * Maximum number of targets per entry that are sorted in advance. Sorting one takes 10 to 20 µs, a tenth of a lookup.
 */
const targetsPerEntry = 10
/** Up to this number, targets are always sorted in advance. */
const least = 1_000
/** Maximum number of targets sorted in advance. Each takes 50 bytes of a command (at most 16 MB). */
const most = 150_000

/** Returns `ReadPlan.maxRanked`. `entries` is the number of entries to sort or group. */
export function maxRanked(keys: readonly Pick<SortKey, 'through'>[], entries: number): number {
  const relations = keys.filter(({ through }) => through.some(({ kind }) => kind === 'link')).length
  if (relations === 0) return 0
  const worthwhile = Math.max(least, Math.min(entries * targetsPerEntry, most))
  return Math.floor(worthwhile / relations)
}

/** Populated levels sort few entries. */
export const maxRankedPopulated = least
