import type { Collection, Db, Document } from 'mongodb'
import type { Segment } from '../../engine/schema/attributes-in.js'
import type { StoredPlace } from '../../engine/schema/stored-places.js'

/** Of an array `$type` looks at the members, so that an empty list is no value. */
export const valueTypes = ['double', 'string', 'object', 'bool', 'date', 'int', 'long', 'decimal']

/** Entries are counted up to here. */
const maxCounted = 10_000
/** Values, documents and roles that are named. */
export const maxNamed = 10
const maxCommandMs = 5_000
const maxTotalMs = 30_000

/** A number of entries; without `count` they could not be counted in time. */
export type Counted = Readonly<{ count?: number; more: boolean }>

/** Asks a database what it holds, each time and altogether for a bounded time. What fails is not known, and no error. */
export class ContentCounter {
  readonly #until = Date.now() + maxTotalMs

  constructor(private readonly db: Db) {}

  /** How many entries satisfy a condition at one of these places: of the versions of a type, those of the status with more. */
  entries(
    places: readonly StoredPlace[],
    condition: (value: NonNullable<StoredPlace['value']>) => unknown = () => undefined,
  ): Promise<Counted> {
    return this.#count(places, (collection, within, maxTimeMS) => {
      const filters = within.map(({ value }) =>
        value === undefined ? {} : matching(value.segments, value.storedAs, condition(value)),
      )
      return collection.countDocuments({ $or: filters }, { limit: maxCounted + 1, maxTimeMS })
    })
  }

  /** How many have a value there that satisfies a condition, and of which an expression of `$value` is true. */
  withValue(
    places: readonly StoredPlace[],
    condition: unknown,
    expression: Document,
  ): Promise<Counted> {
    return this.#count(places, async (collection, within, maxTimeMS) => {
      const values = within.flatMap((place, at) => {
        const pipeline = [...valuesAt(place, condition), { $match: { $expr: expression } }]
        return at === 0 ? pipeline : [{ $unionWith: { coll: collection.collectionName, pipeline } }]
      })
      const counting = [
        { $group: { _id: '$_id' } },
        { $limit: maxCounted + 1 },
        { $count: 'count' },
      ]
      const rows = await collection.aggregate([...values, ...counting], { maxTimeMS }).toArray()
      return Number(rows[0]?.count ?? 0)
    })
  }

  async #count(
    places: readonly StoredPlace[],
    ask: (
      collection: Collection,
      within: readonly StoredPlace[],
      maxTimeMS: number,
    ) => Promise<number>,
  ): Promise<Counted> {
    const byType = new Map<string, StoredPlace[]>()
    for (const place of places) byType.set(place.type, [...(byType.get(place.type) ?? []), place])
    let count = 0
    for (const within of byType.values()) {
      let most = 0
      for (const collection of within[0]?.collections ?? []) {
        const found = await this.#inTime((maxTimeMS) =>
          ask(this.db.collection(collection), within, maxTimeMS),
        )
        if (found === undefined) return { more: false }
        most = Math.max(most, found)
      }
      count += most
    }
    return count > maxCounted ? { count: maxCounted, more: true } : { count, more: false }
  }

  /** The first rows of a pipeline, one more than are named; undefined where there was no time. */
  first(
    collection: string,
    pipeline: readonly Document[],
  ): Promise<readonly Document[] | undefined> {
    return this.#inTime((maxTimeMS) =>
      this.db
        .collection(collection)
        .aggregate([...pipeline, { $limit: maxNamed + 1 }], { maxTimeMS })
        .toArray(),
    )
  }

  /** Names of the documents of a collection that satisfy a filter. */
  async named(collection: string, filter: Document): Promise<readonly string[]> {
    const rows = await this.first(collection, [
      { $match: filter },
      { $sort: { name: 1 } },
      { $project: { name: 1 } },
    ])
    return (rows ?? []).map(({ name }) => String(name))
  }

  async #inTime<T>(ask: (maxTimeMS: number) => Promise<T>): Promise<T | undefined> {
    const left = Math.min(maxCommandMs, this.#until - Date.now())
    if (left < 1) return undefined
    try {
      return await ask(left)
    } catch {
      return undefined
    }
  }
}

/** The values at a place that satisfy a condition, each with its entry's documentId and locale. */
export function valuesAt({ value }: StoredPlace, condition: unknown): readonly Document[] {
  if (value === undefined) return []
  const { segments, storedAs } = value
  const unwinding = segments.flatMap(({ field, isList, component }, at) => {
    const path = [...segments.slice(0, at), { field }].map((step) => step.field).join('.')
    return [
      ...(isList ? [{ $unwind: `$${path}` }] : []),
      ...(component === undefined ? [] : [{ $match: { [`${path}.__component`]: component } }]),
    ]
  })
  const path = [...segments.map(({ field }) => field), storedAs].join('.')
  return [
    { $match: matching(segments, storedAs, condition) },
    ...unwinding,
    { $match: { [path]: condition } },
    { $project: { value: `$${path}`, locale: 1, documentId: 1 } },
  ]
}

/** Entries with a structure there, whose field satisfies a condition. */
function matching(
  [first, ...rest]: readonly Segment[],
  field: string,
  condition: unknown,
): Document {
  if (first === undefined) return { [field]: condition }
  const inside = matching(rest, field, condition)
  const { component } = first
  if (first.isList)
    return {
      [first.field]: {
        $elemMatch: { ...(component !== undefined && { __component: component }), ...inside },
      },
    }
  const below: Document = { [first.field]: { $type: 'object' } }
  for (const [key, value] of Object.entries<unknown>(inside)) below[`${first.field}.${key}`] = value
  return below
}
