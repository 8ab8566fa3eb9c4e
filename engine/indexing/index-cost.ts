import { costs } from '../read/cost/cost-units.js'
import type { Index } from '../schema/index-list.js'
import type { Demand, OrderKey } from './demand.js'

/** The number of entries in a collection, and the distribution of their values. */
export type Spread = Readonly<{
  entries: number
  /** Returns the share of the entries, from 0 to 1, that have one particular value at the path. */
  shareOf: (path: string) => number
}>

/** The cost of reading a page and of counting the total, in units of 10 µs. */
export type ReadCost = Readonly<{ page: number; total: number }>

/** Assumed share of the entries that match a range, or a condition that no index can serve. */
const rangeShare = 1 / 3

/** Estimates the cost of a read with an index; `null` stands for a scan of the whole collection. */
export function costBy(
  demand: Demand,
  index: Index | null,
  { rows, spread }: Readonly<{ rows: number; spread: Spread }>,
): ReadCost {
  const { fields, partial, descending } = index ?? scan
  const { share, used, isRange } = narrow(demand, fields, spread)
  // A partial index lacks entries that have no value, so only a read that filters by its fields can use it.
  if (partial !== undefined && used === 0) return costBy(demand, null, { rows, spread })
  const scannedEntries = Math.max(1, spread.entries * share)
  const behind = fields.slice(used - (isRange ? 1 : 0))
  const isOrdered =
    demand.sort !== null &&
    partial === undefined &&
    isInOrder(demand.sort, demand.equal, behind, descending)
  const left = leftOver(demand, new Set(fields.slice(0, used)), spread)
  // In the order of the index, entries are only fetched until the page is full.
  const fetched = isOrdered ? Math.min(scannedEntries, rows / left.share) : scannedEntries
  return {
    page: fetched * costs.scanned,
    total: scannedEntries * (left.isAny || index === null ? costs.scanned : costs.passed),
  }
}

/** Returns the lowest cost of a page and of a total. They may come from two indexes. */
export function cheapest(all: readonly ReadCost[]): ReadCost {
  return {
    page: Math.min(...all.map(({ page }) => page)),
    total: Math.min(...all.map(({ total }) => total)),
  }
}

const scan: Pick<Index, 'fields' | 'partial' | 'descending'> = { fields: [] }

/** Returns the share of an index that a read has to scan, and how many of the index's fields reduce this share. */
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

/** Returns whether the entries that an index finds must be tested further, and the share that passes. */
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
 * Whether an index has the order of a sort, forwards or backwards. Ignores sort keys that have the same value in all
 * matching entries.
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
    // Ids are unique, so sort keys after the id have no effect.
    if (path === '_id') return true
  }
  return true
}
