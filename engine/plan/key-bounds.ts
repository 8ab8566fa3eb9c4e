import type { ReadPlan, TotalPlan } from './read-plan.js'

/**
 * Without a total a page that is full ends the lookups, and each key costs more than it saves; with a total
 * every entry would be looked up. The keys of all relations together fit into one command (16 MB).
 */
const listedWithoutTotal = 10_000
const listedWithTotal = 300_000
/** A populated level asks for few entries, by their documentIds. */
const populated = 1_000

/** `ReadPlan.maxKeys` of a list whose filter goes through so many relations. */
export function keyBounds(relations: number, total: TotalPlan): ReadPlan['maxKeys'] {
  const listed = total === 'count' ? listedWithTotal : listedWithoutTotal
  return { listed: Math.floor(listed / Math.max(1, relations)), populated }
}
