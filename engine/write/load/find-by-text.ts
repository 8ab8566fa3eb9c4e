import { type Document, MongoServerError } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { VersionKey } from '../../values/stored-types.js'
import { combine } from './combine.js'
import { findAtOnce } from './find-at-once.js'
import { groupBy } from './group-by.js'
import { oneOf } from './expressions.js'
import { findTogether, type FindPart } from './find-together.js'

/** A text that versions in a collection have in an indexed field: their documentId, or an attribute. */
export type TextKey = Readonly<{
  collection: string
  /** Stored name. */
  field: string
  text: string
  /**
   * Locale of the versions; undefined or null = any. Null is not compared, because a running conversion may just have
   * added a locale to versions without one.
   */
  locale?: string | null
  /** Another field to read. */
  also?: string | undefined
}>

/** The fields of a version that a look-up reads. */
export type FoundVersion = Document & VersionKey & Readonly<{ _id: number }>

/** Longer texts are not looked up together with those of other content-types. */
export const maxSharedLength = 256

/**
 * Limits of a shared command. It waits for its slowest part, so parts with thousands of texts are faster as separate
 * commands.
 */
const shared = { maxKeys: 1000, atOnce: 2 } as const

/**
 * Finds the versions that have a text. Concurrent look-ups share one command, whatever their collections. Long texts
 * and large look-ups get a separate command per field, so that other look-ups do not wait for them.
 * @param isMuch whether the same request looks up many texts
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

/**
 * Maximum number of characters per command. It is far below the database's size limit, however many bytes each
 * character takes.
 */
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

/**
 * If the database refuses the shared command, sends each part as a separate command, so that a failing part does not
 * affect the others.
 */
async function findParts(
  parts: readonly FindPart[],
  { db, read, isTransaction }: UnitOfWork,
): Promise<readonly Found[]> {
  try {
    return await read((options) => findTogether<FoundVersion>(db, parts, options))
  } catch (error) {
    if (parts.length === 1 || isTransaction || !(error instanceof MongoServerError)) throw error
    const each = parts.map((part) =>
      read((options) => findAtOnce<FoundVersion>(db, part, options)).catch(errorOf),
    )
    return Promise.all(each)
  }
}

const errorOf = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

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
      // If no look-up names a locale, there is no condition, so that a single version is found by the fast path.
      ...(isOfLocales ? { locale: oneOf([...locales]) } : {}),
    },
    projection: Object.fromEntries(
      ['documentId', 'locale', field, ...also].map((name) => [name, 1]),
    ),
    isOne: field === 'documentId' && texts.size === 1 && !isOfLocales && !locales.has(undefined),
  }
}
