import type { Document } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { VersionKey } from '../../values/stored-types.js'
import { combine } from './combine.js'
import type { FindPart } from './find-together.js'
import { findTogether } from './find-together.js'
import { groupBy, oneOf } from './lookups.js'

/** A text that versions in a collection have in an indexed field: their documentId, or a value of their own. */
export type TextKey = Readonly<{
  collection: string
  /** As it is stored. */
  field: string
  text: string
  /** Of the versions that are looked for; undefined = any. */
  locale?: string | null
}>

/** A version, as far as it is looked up. */
export type FoundVersion = Document & VersionKey & Readonly<{ _id: number }>

/** Of longer ones a few thousand would be more than a command may hold, and all who ask with them would be refused. */
const maxSharedLength = 256

/**
 * Finds the versions that have a text. All that is looked for at one moment is found by one command, in whatever
 * collections it is.
 */
export async function findByText(unit: UnitOfWork, key: TextKey): Promise<readonly FoundVersion[]> {
  if (key.text.length > maxSharedLength) return (await findAll([key], unit))[0] ?? []
  return combine(unit, 'texts', findAll)(key)
}

async function findAll(
  keys: readonly TextKey[],
  { db, read }: UnitOfWork,
): Promise<readonly (readonly FoundVersion[])[]> {
  const wanted = new Map<string, Wanted>()
  for (const { collection, field, text, locale } of keys) {
    const place = placeOf(collection, field)
    const known = wanted.get(place) ?? { collection, field, texts: new Set(), locales: new Set() }
    wanted.set(place, known)
    known.texts.add(text)
    known.locales.add(locale)
  }
  const parts = [...wanted.values()].map(partOf)
  const found = await read((options) => findTogether<FoundVersion>(db, parts, options))
  const byPlace = new Map(
    [...wanted].map(([place, { field }], at) => [place, groupBy(found[at] ?? [], field)] as const),
  )
  return keys.map(
    ({ collection, field, text, locale }) =>
      byPlace
        .get(placeOf(collection, field))
        ?.get(text)
        ?.filter((version) => locale === undefined || (version.locale ?? null) === locale) ?? [],
  )
}

type Wanted = Readonly<{
  collection: string
  field: string
  texts: Set<string>
  locales: Set<string | null | undefined>
}>

const placeOf = (collection: string, field: string): string => `${collection} ${field}`

function partOf({ collection, field, texts, locales }: Wanted): FindPart {
  const isOfLocales = [...locales].some((locale) => locale !== null) && !locales.has(undefined)
  return {
    collection,
    filter: {
      [field]: oneOf([...texts]),
      // Versions without a locale need not be told by it; one of them is found the short way.
      ...(isOfLocales ? { locale: oneOf([...locales]) } : {}),
    },
    projection: { documentId: 1, locale: 1, [field]: 1 },
    isOne: field === 'documentId' && texts.size === 1 && !isOfLocales && !locales.has(undefined),
  }
}
