import type { Document } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { VersionKey } from '../../values/stored-types.js'
import { versionKeyText } from '../../values/stored-types.js'
import { combine } from './combine.js'
import { findAtOnce } from './find-at-once.js'
import type { FindPart } from './find-together.js'
import { findTogether } from './find-together.js'
import { oneOf } from './lookups.js'

type Stored = Document & { _id: number; documentId: string; locale: string | null }

export type TargetQuery = Readonly<{
  /** The one that decides whether a document exists, and the other one that has record ids. */
  collections: readonly string[]
  locale: string | null
  documentIds: ReadonlySet<string>
  ids: ReadonlySet<number>
}>

/** Which of the named documents exist in a locale: record ids by documentId, and documentIds by the record ids that were asked for. */
export async function findTargets(
  unit: UnitOfWork,
  { collections, locale, documentIds, ids }: TargetQuery,
): Promise<Readonly<{ ids: Map<string, number>; documentIds: Map<number, string> }>> {
  const byId = new Map<number, string>()
  for (const name of collections) {
    const find = documentIdFinder(unit, name)
    for (const [id, found] of await findAll(ids, find)) byId.set(id, found)
  }
  const [authority = ''] = collections
  const find = recordIdFinder(unit)
  const wanted = new Set([...documentIds, ...byId.values()])
  const found = await findAll(wanted, (documentId) =>
    find({ collection: authority, documentId, locale }),
  )
  return { ids: found, documentIds: byId }
}

/** What was found, by key. */
async function findAll<K, V>(
  keys: ReadonlySet<K>,
  find: (key: K) => Promise<V | undefined>,
): Promise<Map<K, V>> {
  const found = new Map<K, V>()
  await Promise.all(
    [...keys].map(async (key) => {
      const value = await find(key)
      if (value !== undefined) found.set(key, value)
    }),
  )
  return found
}

/** The documentId of the version with a record id. */
function documentIdFinder(
  unit: UnitOfWork,
  name: string,
): (id: number) => Promise<string | undefined> {
  return combine(unit, `documentIds in ${name}`, async (ids, { db, read }) => {
    const found = await read((options) =>
      findAtOnce<Stored>(
        db,
        { collection: name, filter: { _id: oneOf(ids) }, projection: { documentId: 1 } },
        options,
      ),
    )
    const documentIds = new Map(found.map(({ _id, documentId }) => [_id, documentId]))
    return ids.map((id) => documentIds.get(id))
  })
}

/** A version of a document in a collection. */
type Place = VersionKey & Readonly<{ collection: string }>

/** The record id of a document's version in a locale. Those in several collections are found by one command. */
function recordIdFinder(unit: UnitOfWork): (place: Place) => Promise<number | undefined> {
  return combine(unit, 'record ids', async (places, { db, read }) => {
    const wanted = new Map<string, Wanted>()
    for (const { collection, documentId, locale } of places) {
      const known = wanted.get(collection) ?? { documentIds: new Set(), locales: new Set() }
      wanted.set(collection, known)
      known.documentIds.add(documentId)
      known.locales.add(locale)
    }
    const parts = [...wanted].map(partOf)
    const found = await read((options) => findTogether<Stored>(db, parts, options))
    const ids = new Map(
      parts.map(({ collection }, at) => [collection, idsOf(found[at] ?? [])] as const),
    )
    return places.map((place) => ids.get(place.collection)?.get(versionKeyText(place)))
  })
}

type Wanted = Readonly<{ documentIds: Set<string>; locales: Set<string | null> }>

function partOf([collection, { documentIds, locales }]: readonly [string, Wanted]): FindPart {
  const isLocalized = [...locales].some((locale) => locale !== null)
  return {
    collection,
    filter: {
      documentId: oneOf([...documentIds]),
      // Documents without a locale need not be told by it; one of them is found the short way.
      ...(isLocalized ? { locale: oneOf([...locales]) } : {}),
    },
    projection: { documentId: 1, locale: 1 },
    isOne: documentIds.size === 1 && !isLocalized,
  }
}

const idsOf = (versions: readonly Stored[]): ReadonlyMap<string, number> =>
  new Map(versions.map((version) => [versionKeyText(version), version._id]))
