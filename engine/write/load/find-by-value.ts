import type { Document } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { VersionKey } from '../../values/stored-types.js'
import { uniquesField } from '../../values/unique-list.js'
import { findAtOnce } from './find-at-once.js'
import { oneOf } from './expressions.js'
import type { FoundVersion } from './find-by-text.js'
import { findByText } from './find-by-text.js'

/** Finds the versions with a value in a field. For a unique field, there is at most one in each locale. */
export type FindByValue = (field: string, value: unknown) => Promise<readonly VersionKey[]>

/** Creates a function that finds versions by the value of a field. */
export function valueFinder(unit: UnitOfWork, collection: string): FindByValue {
  const find = (field: string, value: unknown): Promise<readonly VersionKey[]> =>
    unit.read((options) =>
      findAtOnce<FoundVersion>(
        unit.db,
        {
          collection,
          filter: { [field]: { $eq: value } },
          projection: { documentId: 1, locale: 1 },
        },
        options,
      ),
    )
  // Only look-ups of strings are combined: equal numbers and times can have different BSON forms, which only the
  // database compares correctly.
  return (field, value) =>
    typeof value === 'string'
      ? findByText(unit, { collection, field, text: value })
      : find(field, value)
}

/**
 * Looks up strings in advance, all at the same time. The returned function looks up any other value when it is called.
 * @param texts strings to look up, by field
 */
export async function findAllByValue(
  find: FindByValue,
  texts: ReadonlyMap<string, string>,
): Promise<FindByValue> {
  const found = new Map(
    await Promise.all(
      [...texts].map(async ([field, text]) => [field, await find(field, text)] as const),
    ),
  )
  return async (field, value) =>
    (texts.get(field) === value ? found.get(field) : undefined) ?? find(field, value)
}

export type UniqueQuery = Readonly<{
  field: string
  value: unknown
  /** Undefined if all locales share the attribute, so that its value must be unique in all of them. */
  locale?: string | null
}>

/** Returns the fields whose value another document has. */
export async function findTaken(
  findByValue: FindByValue,
  documentId: string,
  queries: readonly UniqueQuery[],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>()
  await Promise.all(
    queries.map(async ({ field, value, locale }) => {
      const found = await findByValue(field, value)
      const isTaken = found.some(
        (entry) =>
          entry.documentId !== documentId && (locale === undefined || entry.locale === locale),
      )
      if (isTaken) taken.add(field)
    }),
  )
  return taken
}

/** Finds the versions whose list of unique values contains one of these strings (`ListedUnique.is`). */
export async function findListed(
  unit: UnitOfWork,
  collection: string,
  texts: readonly string[],
): Promise<readonly (Document & VersionKey)[]> {
  if (texts.length === 0) return []
  const filter = { [`${uniquesField}.is`]: oneOf(texts) }
  const projection = { documentId: 1, locale: 1, [uniquesField]: 1 }
  return unit.read((options) =>
    findAtOnce<Document & VersionKey>(unit.db, { collection, filter, projection }, options),
  )
}
