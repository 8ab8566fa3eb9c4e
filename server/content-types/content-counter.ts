import type { Db, Document } from 'mongodb'
import type { Segment } from '../../engine/schema/attributes-in.js'
import type { StoredPlace } from '../../engine/schema/stored-places.js'

/** BSON types of values. `$type` tests the members of an array, so an empty list does not count as a value. */
export const valueTypes = ['double', 'string', 'object', 'bool', 'date', 'int', 'long', 'decimal']

const maxCounted = 10_000
/** Maximum number of values, documents or roles that a message names. */
export const maxNamed = 10
const maxCommandMs = 5_000
const maxTotalMs = 30_000

type DocumentCount = Readonly<{ documents?: number; versions?: number }>

/** Counts documents instead of versions, because a document has one version per locale. */
const countingDocuments: readonly Document[] = [
  { $limit: maxCounted + 1 },
  { $group: { _id: '$documentId', versions: { $sum: 1 } } },
  { $group: { _id: null, documents: { $sum: 1 }, versions: { $sum: '$versions' } } },
]

/** `count` is absent if counting took too long. `more`: there are more than `count`. */
export type Counted = Readonly<{ count?: number; more: boolean }>

/** Queries content with time limits for each query and for all together. Failed queries return an unknown result. */
export class ContentCounter {
  readonly #until = Date.now() + maxTotalMs

  constructor(private readonly db: Db) {}

  /**
   * Counts entries with a value that satisfies a condition. For a type with drafts, counts drafts and published entries
   * separately and uses the larger number.
   */
  entries(
    places: readonly StoredPlace[],
    condition: (value: NonNullable<StoredPlace['value']>) => unknown = () => undefined,
  ): Promise<Counted> {
    return this.#count(places, (within) => {
      const filters = within.map(({ value }) =>
        value === undefined ? {} : matching(value.segments, value.storedAs, condition(value)),
      )
      return [{ $match: { $or: filters } }]
    })
  }

  /** Counts entries with a value that satisfies both the filter `condition` and an expression on `$value`. */
  withValue(
    places: readonly StoredPlace[],
    condition: unknown,
    expression: Document,
  ): Promise<Counted> {
    return this.#count(places, (within, collection) => {
      const values = within.flatMap((place, at) => {
        const pipeline = [...valuesAt(place, condition), { $match: { $expr: expression } }]
        return at === 0 ? pipeline : [{ $unionWith: { coll: collection, pipeline } }]
      })
      return [...values, { $group: { _id: '$_id', documentId: { $first: '$documentId' } } }]
    })
  }

  /** Counts entries with at least one version that the stages of `versions` select. */
  async #count(
    places: readonly StoredPlace[],
    versions: (within: readonly StoredPlace[], collection: string) => readonly Document[],
  ): Promise<Counted> {
    const byType = new Map<string, StoredPlace[]>()
    for (const place of places) byType.set(place.type, [...(byType.get(place.type) ?? []), place])
    let count = 0
    let more = false
    for (const within of byType.values()) {
      let most = 0
      for (const collection of within[0]?.collections ?? []) {
        const pipeline = [...versions(within, collection), ...countingDocuments]
        const rows = await this.#inTime((maxTimeMS) =>
          this.db.collection(collection).aggregate(pipeline, { maxTimeMS }).toArray(),
        )
        if (rows === undefined) return { more: false }
        const { documents = 0, versions: counted = 0 } = (rows[0] ?? {}) as DocumentCount
        if (counted > maxCounted) more = true
        most = Math.max(most, counted > maxCounted ? documents - 1 : documents)
      }
      count += most
    }
    return count > maxCounted ? { count: maxCounted, more: true } : { count, more }
  }

  /** Returns up to one result more than a message shows; undefined if the query failed or took too long. */
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

  async named(collection: string, filter: Document): Promise<readonly string[]> {
    const rows = await this.first(collection, [
      { $match: filter },
      { $sort: { name: 1 } },
      { $project: { name: 1 } },
    ])
    return (rows ?? []).map(({ name }) => String(name))
  }

  async #inTime<T>(countOnce: (maxTimeMS: number) => Promise<T>): Promise<T | undefined> {
    const left = Math.min(maxCommandMs, this.#until - Date.now())
    if (left < 1) return undefined
    try {
      return await countOnce(left)
    } catch {
      return undefined
    }
  }
}

/** Returns stages that yield `{ value, documentId, locale }` for each value that satisfies the condition. */
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

/** Returns a filter on the field of the component or zone that the segments lead to. */
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
