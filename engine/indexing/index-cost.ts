import { costs } from '../read/cost/cost-units.js'
import type { Index } from '../schema/index-list.js'
import type { Demand, OrderKey } from './demand.js'

/** How the values of a collection are spread. */
export type Spread = Readonly<{
  entries: number
  /** The part of the entries that has one value at a path. */
  shareOf: (path: string) => number
}>

/** What a read of a demand costs, in units of 10 µs: its page, and its total. */
export type ReadCost = Readonly<{ page: number; total: number }>

/** The part of the entries that a range leaves, or a test of which nothing is known. */
const rangeShare = 1 / 3

/** By going through all entries, or those of an index. Null for the first. */
export function costBy(
  demand: Demand,
  index: Index | null,
  { rows, spread }: Readonly<{ rows: number; spread: Spread }>,
): ReadCost {
  const { fields, partial, descending } = index ?? scan
  const { share, used, isRange } = narrow(demand, fields, spread)
  // Entries without a value are not in it.
  if (partial !== undefined && used === 0) return costBy(demand, null, { rows, spread })
  const touched = Math.max(1, spread.entries * share)
  const behind = fields.slice(used - (isRange ? 1 : 0))
  const isOrdered =
    demand.sort !== null &&
    partial === undefined &&
    isInOrder(demand.sort, demand.equal, behind, descending)
  const left = leftOver(demand, new Set(fields.slice(0, used)), spread)
  // In order, entries are fetched until the page is full.
  const fetched = isOrdered ? Math.min(touched, rows / left.share) : touched
  return {
    page: fetched * costs.scanned,
    total: touched * (left.isAny || index === null ? costs.scanned : costs.passed),
  }
}

/** By the best of the indexes for each. */
export function cheapest(all: readonly ReadCost[]): ReadCost {
  return {
    page: Math.min(...all.map(({ page }) => page)),
    total: Math.min(...all.map(({ total }) => total)),
  }
}

const scan: Pick<Index, 'fields' | 'partial' | 'descending'> = { fields: [] }

/** How much of a collection stands together in an index, by how many of its fields. */
function narrow(
  { equal, ranges }: Demand,
  fields: readonly string[],
  { shareOf }: Spread,
): Readonly<{ share: number; used: number; isRange: boolean }> {
  let share = 1
  let used = 0
  for (const field of fields) {
    if (!equal.includes(field)) break
    share *= shareOf(field)
    used += 1
  }
  const next = fields[used]
  const isRange = next !== undefined && ranges.includes(next)
  return isRange ? { share: share * rangeShare, used: used + 1, isRange } : { share, used, isRange }
}

/** What entries have to be asked for besides, and which part of them satisfies it. */
function leftOver(
  { equal, ranges, isTested }: Demand,
  answered: ReadonlySet<string>,
  { shareOf }: Spread,
): Readonly<{ isAny: boolean; share: number }> {
  const open = equal.filter((path) => !answered.has(path))
  const wide = ranges.filter((path) => !answered.has(path)).length + (isTested ? 1 : 0)
  const share = open.reduce((all, path) => all * shareOf(path), rangeShare ** wide)
  return { isAny: open.length + wide > 0, share }
}

/** Whether fields have the order, forwards or backwards; what is equal in all entries has any. */
export function isInOrder(
  sort: readonly OrderKey[],
  equal: readonly string[],
  fields: readonly string[],
  descending: readonly string[] = [],
): boolean {
  let way = 0
  let at = 0
  for (const { path, direction } of sort) {
    if (equal.includes(path)) continue
    while (at < fields.length && fields[at] !== path && equal.includes(fields[at] ?? '')) at += 1
    if (fields[at] !== path) return false
    const own = descending.includes(path) ? -direction : direction
    if (way !== 0 && own !== way) return false
    way = own
    at += 1
    // Behind it there is one entry.
    if (path === '_id') return true
  }
  return true
}
