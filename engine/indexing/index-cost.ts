import { costs } from '../read/cost/cost-units.js'
import type { Index } from '../schema/index-list.js'
import type { Demand, OrderKey } from './demand.js'

/** How values are distributed in a collection. */
export type Spread = Readonly<{
  entries: number
  /** The share of the entries with one value at a path. */
  shareOf: (path: string) => number
}>

/** Cost of a read, in units of 10 µs: of its page, and of its total. */
export type ReadCost = Readonly<{ page: number; total: number }>

/** Assumed share of the entries that match a range, or an unknown test. */
const rangeShare = 1 / 3

/** Estimates the cost of a read with one index; null: with a scan of the collection. */
export function costBy(
  demand: Demand,
  index: Index | null,
  { rows, spread }: Readonly<{ rows: number; spread: Spread }>,
): ReadCost {
  const { fields, partial, descending } = index ?? scan
  const { share, used, isRange } = narrow(demand, fields, spread)
  // Entries without a value are not in a partial index.
  if (partial !== undefined && used === 0) return costBy(demand, null, { rows, spread })
  const scannedEntries = Math.max(1, spread.entries * share)
  const behind = fields.slice(used - (isRange ? 1 : 0))
  const isOrdered =
    demand.sort !== null &&
    partial === undefined &&
    isInOrder(demand.sort, demand.equal, behind, descending)
  const left = leftOver(demand, new Set(fields.slice(0, used)), spread)
  // With an index in order, entries are fetched only until the page is full.
  const fetched = isOrdered ? Math.min(scannedEntries, rows / left.share) : scannedEntries
  return {
    page: fetched * costs.scanned,
    total: scannedEntries * (left.isAny || index === null ? costs.scanned : costs.passed),
  }
}

/** Returns the lowest cost of a page and of a total. */
export function cheapest(all: readonly ReadCost[]): ReadCost {
  return {
    page: Math.min(...all.map(({ page }) => page)),
    total: Math.min(...all.map(({ total }) => total)),
  }
}

const scan: Pick<Index, 'fields' | 'partial' | 'descending'> = { fields: [] }

/**
 * Returns the share of a collection to which an index narrows a read, and the number of its fields that narrow the
 * read.
 */
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

/** Returns whether the entries that an index finds must also be tested, and the share of them that passes. */
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

/**
 * Whether fields are in the order of a sort, forwards or backwards. Paths with one value in all matches do not matter.
 */
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
    // Ids are unique, so later keys do not matter.
    if (path === '_id') return true
  }
  return true
}
