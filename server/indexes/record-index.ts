import { hash } from 'node:crypto'
import type { Db } from 'mongodb'
import type { RecordedIndex, ServedShape } from '../../engine/database/recorded-indexes.js'
import { recordedIndexes } from '../../engine/database/recorded-indexes.js'
import { textOf } from '../../engine/indexing/demand.js'
import type { ObservedDemand } from '../../engine/indexing/rank-indexes.js'
import { unitsOfMs } from '../../engine/indexing/rank-indexes.js'
import type { Weighed } from './weigh-demands.js'

/** Maximum number of queries that the record of an index lists as served by it. */
const mostShapes = 5

/** Returns the record of a recommended index. Omits its state and the admin's choice. */
export function recordOf(
  weighed: Weighed,
  { version, now }: Readonly<{ version: number; now: number }>,
): Omit<RecordedIndex, 'state' | 'choice' | 'attempts'> {
  const { collection, index, uid, saved, upkeep, requests, serves, bytes } = weighed
  const { name, fields, descending = [] } = index
  return {
    _id: hash('sha1', `${collection}\n${name}`, 'hex').slice(0, 16),
    collection,
    uid,
    name,
    fields,
    descending,
    version,
    bytes,
    serves: serves
      .toSorted((a, b) => b.requests - a.requests)
      .slice(0, mostShapes)
      .map(shapeOf),
    reads: Math.round(requests),
    savedMs: Math.round(saved / unitsOfMs),
    writeMs: Math.round(upkeep / unitsOfMs),
    advisedAt: new Date(now),
  }
}

function shapeOf({ demand, counted }: ObservedDemand): ServedShape {
  const { equal, ranges, sort } = demand
  return { equal, ranges, sort: (sort ?? []).map(textOf), counted: counted > 0 }
}

/** Records a recommended index. Keeps an admin's choice. */
export async function recordAdvice(
  db: Db,
  record: ReturnType<typeof recordOf>,
  failure?: string,
): Promise<void> {
  const { _id, ...rest } = record
  await recordedIndexes(db).updateOne(
    { _id },
    {
      $set: { ...rest, failure },
      $setOnInsert: { state: 'advised', choice: null, attempts: 0 },
    },
    { upsert: true },
  )
}
