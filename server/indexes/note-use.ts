import type { Db } from 'mongodb'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { indexOf, recordedIndexes } from '../../engine/database/recorded-indexes.js'
import type { Spread } from '../../engine/indexing/index-cost.js'
import { costBy } from '../../engine/indexing/index-cost.js'
import type { ObservedDemand } from '../../engine/indexing/rank-indexes.js'
import type { Index } from '../../engine/schema/index-list.js'
import { indexList } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'

/** Minimum milliseconds between two updates of the time at which an index was last used. */
const rememberedMs = 3_600_000
/** Maximum milliseconds that one check adds to the idle time of an index, however long ago the previous check was. */
const mostIdleMs = 86_400_000

/** Records which indexes have served queries, each at most once an hour. */
export async function recordUse(
  db: Db,
  {
    records,
    recent,
    registry,
    now,
  }: Readonly<{
    records: readonly RecordedIndex[]
    recent: readonly ObservedDemand[]
    registry: Registry
    now: () => number
  }>,
): Promise<void> {
  if (recent.length === 0) return
  const due = records.filter(
    ({ state, usedAt }) => state === 'made' && now() - (usedAt?.getTime() ?? 0) >= rememberedMs,
  )
  if (due.length === 0) return
  const made = records.filter(({ state }) => state === 'made')
  const defined = definedIndexes(registry)
  for (const record of due) {
    const observed = recent.filter(({ demand }) => demand.collection === record.collection)
    const others = made.filter(({ collection }) => collection === record.collection)
    const all = [...(defined.get(record.collection) ?? []), ...others.map(indexOf)]
    const reads = observed.reduce(
      (sum, it) => sum + (winners(it, all).has(record.name) ? it.requests : 0),
      0,
    )
    if (reads === 0) continue
    await recordedIndexes(db).updateOne(
      { _id: record._id },
      { $max: { usedAt: new Date(now()) }, $set: { reads: Math.round(reads) } },
    )
  }
}

/** Records how long indexes have been unused. Each process calls this at most once an hour. */
export async function recordIdle(
  db: Db,
  { records, now }: Readonly<{ records: readonly RecordedIndex[]; now: () => number }>,
): Promise<void> {
  for (const { _id, state, usedAt, lookedAt, idleMs = 0 } of records) {
    if (state !== 'made') continue
    const since = lookedAt?.getTime() ?? now()
    const isUsed = usedAt !== undefined && usedAt.getTime() > since - rememberedMs
    const idle = isUsed ? 0 : idleMs + Math.min(Math.max(0, now() - since), mostIdleMs)
    // If several processes do this at the same time, only the first finds the `lookedAt` that it has read.
    await recordedIndexes(db).updateOne(
      { _id, ...(lookedAt === undefined ? { lookedAt: { $exists: false } } : { lookedAt }) },
      { $set: { lookedAt: new Date(now()), idleMs: idle } },
    )
  }
}

/**
 * Returns the names of the cheapest index for reading a page and, if the query requests totals, of the cheapest for
 * counting. If several are equally cheap, the first wins.
 */
function winners(
  { demand, rows, counted }: ObservedDemand,
  all: readonly Index[],
): ReadonlySet<string> {
  const costs = all.map((index) => ({
    name: index.name,
    cost: costBy(demand, index, { rows, spread: usualSpread }),
  }))
  const scan = costBy(demand, null, { rows, spread: usualSpread })
  const best = (of: 'page' | 'total'): readonly string[] => {
    const least = Math.min(...costs.map(({ cost }) => cost[of]))
    if (least >= scan[of]) return []
    return costs
      .filter(({ cost }) => cost[of] === least)
      .map(({ name }) => name)
      .slice(0, 1)
  }
  return new Set([...best('page'), ...(counted > 0 ? best('total') : [])])
}

/** Assumed distribution of values, used only to guess which index a query uses. */
const usualSpread: Spread = {
  entries: 10_000,
  shareOf: (path) =>
    path === 'locale' ? 1 : path === '_id' || path === 'documentId' ? 1 / 10_000 : 0.1,
}

function definedIndexes(registry: Registry): ReadonlyMap<string, readonly Index[]> {
  const lists = [...registry.contentTypes.values()].flatMap((type) => indexList(type))
  return new Map(lists.map(({ collection, indexes }) => [collection, indexes]))
}
