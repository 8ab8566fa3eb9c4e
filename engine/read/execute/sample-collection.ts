import type { Db, Document } from 'mongodb'
import type { CollectionSample, ValueSample } from '../cost/collection-facts.js'

export type { CollectionSample }

/** MongoDB draws a sample without a scan only if the collection has at least 20 times as many documents. */
const size = 200
const maxTimeMS = 2000

/** Estimates facts from a sample, and reads the indexes; null without entries. `paths`: first fields of the indexes. */
export async function sampleCollection(
  db: Db,
  collection: string,
  paths: readonly string[],
): Promise<CollectionSample | null> {
  const pipeline = compileSample(paths)
  const [found] = await db.collection(collection).aggregate(pipeline, { maxTimeMS }).toArray()
  const fields = (found?.['fields'] ?? []) as FieldRow[]
  // Every entry has an `_id`, so the group of this field counts all entries.
  const entries = fields.find(({ _id }) => _id === '_id')?.entries ?? 0
  if (entries === 0) return null
  const indexes = await db.collection(collection).listIndexes({ maxTimeMS }).toArray()
  const values = paths.flatMap((path, place): [string, ValueSample][] => {
    const [row] = (found?.[nameOf(place)] ?? []) as ValueRow[]
    return row === undefined ? [] : [[path, frequencyOf(row, entries)]]
  })
  const locales = (found?.['locales'] ?? []) as LocaleRow[]
  return {
    bytes: fields.reduce((sum, { bytes }) => sum + bytes, 0) / entries,
    fields: new Map(
      fields.map(({ _id, bytes, values }) => [
        _id,
        { bytes: bytes / entries, values: values / entries },
      ]),
    ),
    values: new Map(values),
    indexed: new Set(indexes.flatMap(({ key }) => Object.keys(key as Document))),
    locales: new Map(locales.map(({ _id, n }) => [_id ?? '', n / entries])),
  }
}

type FieldRow = Readonly<{ _id: string; entries: number; bytes: number; values: number }>
type LocaleRow = Readonly<{ _id: string | null; n: number }>
type ValueRow = Readonly<{ all: number; pairs: number; most: number }>

/**
 * `usual` is the probability that two entries have the same value: the share of pairs with equal values in the sample.
 * One pair is added, because a small sample may contain none. `most` is reduced by two standard deviations, because a
 * small sample overestimates it.
 */
function frequencyOf({ all, pairs, most }: ValueRow, entries: number): ValueSample {
  const each = all / entries
  return {
    each,
    usual: (each * (pairs + 1)) / Math.max(1, all * (all - 1)),
    most: Math.max(0, most - 2 * Math.sqrt(most)) / entries,
  }
}

const nameOf = (place: number): string => `value${place}`

function compileSample(paths: readonly string[]): Document[] {
  const values = Object.fromEntries(paths.map((path, place) => [nameOf(place), `$${path}`]))
  const isList = { $isArray: '$$this.v' }
  const field = {
    name: '$$this.k',
    // `$bsonSize` accepts only documents. The wrapper adds 8 bytes.
    bytes: { $subtract: [{ $bsonSize: { v: '$$this.v' } }, 8] },
    values: { $cond: [isList, { $size: { $cond: [isList, '$$this.v', []] } }, 1] },
  }
  const counted = paths.map((_, place): [string, Document[]] => [
    nameOf(place),
    [
      { $unwind: `$${nameOf(place)}` },
      { $group: { _id: `$${nameOf(place)}`, n: { $sum: 1 } } },
      {
        $group: {
          _id: null,
          all: { $sum: '$n' },
          pairs: { $sum: { $multiply: ['$n', { $subtract: ['$n', 1] }] } },
          most: { $max: '$n' },
        },
      },
    ],
  ])
  const summed = {
    entries: { $sum: 1 },
    bytes: { $sum: '$f.bytes' },
    values: { $sum: '$f.values' },
  }
  return [
    { $sample: { size } },
    {
      $project: {
        _id: 0,
        f: { $map: { input: { $objectToArray: '$$ROOT' }, in: field } },
        locale: 1,
        ...values,
      },
    },
    {
      $facet: {
        fields: [{ $unwind: '$f' }, { $group: { _id: '$f.name', ...summed } }, { $limit: 1000 }],
        locales: [{ $group: { _id: '$locale', n: { $sum: 1 } } }],
        ...Object.fromEntries(counted),
      },
    },
  ]
}
