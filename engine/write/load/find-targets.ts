import type { Document } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { FoundTargets } from '../body/targets.js'
import { combine } from './combine.js'
import { findAtOnce } from './find-at-once.js'
import { findByText } from './find-by-text.js'
import { oneOf } from './expressions.js'

type Stored = Document & { _id: number; documentId: string }

export type TargetQuery = Readonly<{
  /**
   * The first collection decides whether a document exists. The others are searched because payloads may contain record
   * ids of published versions.
   */
  collections: readonly string[]
  locale: string | null
  documentIds: ReadonlySet<string>
  ids: ReadonlySet<number>
  /** Whether the targets are files, so that MIME types are read as well. */
  isMedia: boolean
}>

/** Look-ups of more targets of one type are not combined with those of other types. */
const fewTargets = 50

/** Finds targets in a locale. Returns record ids and MIME types by documentId, and documentIds by record id. */
export async function findTargets(
  unit: UnitOfWork,
  { collections, locale, documentIds, ids, isMedia }: TargetQuery,
): Promise<FoundTargets> {
  const byId = new Map<number, string>()
  for (const name of collections) {
    const find = documentIdFinder(unit, name)
    for (const [id, found] of await findAll(ids, find)) byId.set(id, found)
  }
  const [authority = ''] = collections
  const wanted = new Set([...documentIds, ...byId.values()])
  const also = isMedia ? 'mime' : undefined
  const found = await findAll(wanted, async (documentId) => {
    const key = { collection: authority, field: 'documentId', text: documentId, locale, also }
    return (await findByText(unit, key, wanted.size > fewTargets))[0]
  })
  const each = [...found]
  return {
    ids: new Map(each.map(([documentId, { _id }]) => [documentId, _id])),
    mimes: new Map(each.map(([documentId, { mime }]) => [documentId, mime as unknown])),
    documentIds: byId,
  }
}

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

/** Finds documentIds by record id. */
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
