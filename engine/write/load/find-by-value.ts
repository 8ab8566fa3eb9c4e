import { type Document, MongoServerError } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { VersionKey } from '../../values/stored-types.js'
import { uniquesField } from '../../values/unique-list.js'
import { findAtOnce, findTogether, type FindPart } from './find-at-once.js'
import { oneOf } from './expressions.js'
import { asError, combine } from './combine.js'
import { groupBy } from '../../values/batches.js'

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

type UniqueQuery = Readonly<{
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

/** A string to look up in an indexed field, such as a documentId. */
export type TextKey = Readonly<{
  collection: string
  field: string
  text: string
  /** Undefined and null mean any locale, because a version may get its first locale while its type is converted. */
  locale?: string | null
  /** Another field to read. */
  also?: string | undefined
}>

/** A found version with the requested fields. */
type FoundVersion = Document & VersionKey & Readonly<{ _id: number }>

/**
 * Maximum length of a string that is looked up in a command shared by several requests. Such commands search several
 * collections.
 */
export const maxSharedLength = 256

/** A command takes as long as its slowest part, so look-ups of thousands of strings are faster as separate ones. */
const shared = { maxKeys: 1000, atOnce: 2 } as const

/**
 * Finds the versions in which a field has this value. Concurrent look-ups share one command, except for long strings
 * and large look-ups, so that other look-ups need not wait for them.
 * @param isMuch whether the request looks up many strings
 */
export async function findByText(
  unit: UnitOfWork,
  key: TextKey,
  isMuch = false,
): Promise<readonly FoundVersion[]> {
  const isShared = !isMuch && key.text.length <= maxSharedLength
  if (isShared) return combine(unit, 'texts', findAll, shared)(key)
  return combine(unit, `texts of ${placeOf(key)}`, findAll)(key)
}

type Found = readonly FoundVersion[] | Error

/** Keeps a command far below the database's size limit, whatever the number of bytes per character. */
const maxCharacters = 1_000_000

async function findAll(keys: readonly TextKey[], unit: UnitOfWork): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const some of inPieces(keys)) found.push(...(await findSome(some, unit)))
  return found
}

function inPieces(keys: readonly TextKey[]): readonly (readonly TextKey[])[] {
  const pieces: TextKey[][] = []
  let characters = Infinity
  for (const key of keys) {
    characters += key.text.length
    if (characters <= maxCharacters) pieces.at(-1)?.push(key)
    else {
      pieces.push([key])
      characters = key.text.length
    }
  }
  return pieces
}

async function findSome(keys: readonly TextKey[], unit: UnitOfWork): Promise<readonly Found[]> {
  const wanted = new Map<string, Wanted>()
  for (const key of keys) {
    const { collection, field, text, locale, also } = key
    const place = placeOf(key)
    const known = wanted.get(place) ?? {
      ...{ collection, field, texts: new Set(), locales: new Set(), also: new Set() },
    }
    wanted.set(place, known)
    if (also !== undefined) known.also.add(also)
    known.texts.add(text)
    known.locales.add(locale)
  }
  const found = await findParts([...wanted.values()].map(partOf), unit)
  const byPlace = new Map(
    [...wanted].map(([place, { field }], at) => {
      const versions = found[at] ?? []
      return [place, versions instanceof Error ? versions : groupBy(versions, field)] as const
    }),
  )
  return keys.map((key) => {
    const { text, locale } = key
    const versions = byPlace.get(placeOf(key)) ?? new Map<unknown, never>()
    if (versions instanceof Error) return versions
    const all = versions.get(text) ?? []
    return all.filter((version) => (locale ?? null) === null || version.locale === locale)
  })
}

/** Searches several collections by one command. If it is rejected, separate commands isolate the failing part. */
async function findParts(
  parts: readonly FindPart[],
  { db, read, isTransaction }: UnitOfWork,
): Promise<readonly Found[]> {
  try {
    return await read((options) => findTogether<FoundVersion>(db, parts, options))
  } catch (error) {
    if (parts.length === 1 || isTransaction || !(error instanceof MongoServerError)) throw error
    const each = parts.map((part) =>
      read((options) => findAtOnce<FoundVersion>(db, part, options)).catch(asError),
    )
    return Promise.all(each)
  }
}

type Wanted = Readonly<{
  collection: string
  field: string
  texts: Set<string>
  locales: Set<string | null | undefined>
  also: Set<string>
}>

const placeOf = ({ collection, field }: Pick<TextKey, 'collection' | 'field'>): string =>
  `${field} in ${collection}`

function partOf({ collection, field, texts, locales, also }: Wanted): FindPart {
  const isOfLocales = [...locales].some((locale) => locale !== null) && !locales.has(undefined)
  return {
    collection,
    filter: {
      [field]: oneOf([...texts]),
      // Omit this condition if possible: without it, the database can use its fast path for a single version.
      ...(isOfLocales ? { locale: oneOf([...locales]) } : {}),
    },
    projection: Object.fromEntries(
      ['documentId', 'locale', field, ...also].map((name) => [name, 1]),
    ),
    isOne: field === 'documentId' && texts.size === 1 && !isOfLocales && !locales.has(undefined),
  }
}
