import type { Db } from 'mongodb'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { indexOf, isMade, recordedIndexes } from '../../engine/database/recorded-indexes.js'
import { costBy } from '../../engine/indexing/index-cost.js'
import type { ObservedDemand } from '../../engine/indexing/rank-indexes.js'
import type { Index } from '../../engine/schema/index-list.js'
import { definedIndexes } from '../../engine/schema/index-list.js'
import { typeOfCollection, type Registry } from '../../engine/schema/registry.js'
import { spreadOf } from './weigh-demands.js'

/** Minimum milliseconds between two updates of the time at which an index was last used. */
const rememberedMs = 3_600_000
/** Maximum milliseconds that one check adds to the idle time of an index, however long ago the previous check was. */
const mostIdleMs = 86_400_000

type Uses = Readonly<{
  records: readonly RecordedIndex[]
  recent: readonly ObservedDemand[]
  registry: Registry
  now: number
}>

/** Records which indexes have served the recent queries, each at most once an hour. */
export async function recordUse(db: Db, { records, recent, registry, now }: Uses): Promise<void> {
  const made = records.filter(isMade)
  for (const { _id, collection, name, usedAt } of made) {
    const observed = recent.filter(({ demand }) => demand.collection === collection)
    if (observed.length === 0 || now - usedAt.getTime() < rememberedMs) continue
    const others = made.filter((other) => other.collection === collection)
    const type = typeOfCollection(registry, collection)
    const defined = type === undefined ? [] : definedIndexes(type, collection)
    const indexes = [...defined, ...others.map(indexOf)]
    const reads = observed
      .filter((it) => usedBy(it, indexes).includes(name))
      .reduce((sum, { requests }) => sum + requests, 0)
    if (reads === 0) continue
    await recordedIndexes(db).updateOne(
      { _id },
      { $max: { usedAt: new Date(now) }, $set: { reads: Math.round(reads) } },
    )
  }
}

/** Records how long indexes have been unused. Each process calls this at most once an hour. */
export async function recordIdle(
  db: Db,
  { records, now }: Pick<Uses, 'records' | 'now'>,
): Promise<void> {
  for (const { _id, usedAt, lookedAt, idleMs } of records.filter(isMade)) {
    const since = lookedAt.getTime()
    const isUsed = usedAt.getTime() > since - rememberedMs
    const idle = isUsed ? 0 : idleMs + Math.min(Math.max(0, now - since), mostIdleMs)
    // If several processes do this at the same time, only the first finds the `lookedAt` that it has read.
    await recordedIndexes(db).updateOne(
      { _id, lookedAt },
      { $set: { lookedAt: new Date(now), idleMs: idle } },
    )
  }
}

/**
 * Returns the names of the cheapest index for reading a page and, if the query requests totals, of the cheapest for
 * counting, unless a scan is as cheap. If several are equally cheap, the first wins.
 */
function usedBy(
  { demand, rows, counted }: ObservedDemand,
  indexes: readonly Index[],
): readonly (string | undefined)[] {
  const ways = [null, ...indexes].map((index) => ({
    name: index?.name,
    cost: costBy(demand, index, { rows, spread: usualSpread }),
  }))
  const cheapest = (part: 'page' | 'total') =>
    ways.reduce((best, way) => (way.cost[part] < best.cost[part] ? way : best)).name
  return [cheapest('page'), ...(counted > 0 ? [cheapest('total')] : [])]
}

/** Used only to guess which index a query uses. */
const usualSpread = spreadOf({ entries: 10_000, sample: null })
