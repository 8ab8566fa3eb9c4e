import type { UnitOfWork } from '../../database/unit-of-work.js'
import { collectionsOf } from '../../schema/content-type.js'
import { isFile } from '../../schema/file-uses.js'
import {
  type Edge,
  type EntryScope,
  type FindTarget,
  type FoundTargets,
  targetFinder,
  type WantedTargets,
  wantedTargets,
} from '../body/targets.js'
import { findByText } from './find-by-value.js'
import { findDocumentId } from './lookups.js'

/** Look-ups of more targets of one type are not combined with those of other types. */
const fewTargets = 50

/** Looks up the targets of all relation and media fields of a body, and returns a function that finds them. */
export async function findTargets(
  unit: UnitOfWork,
  edges: readonly Edge[],
  scope: EntryScope,
): Promise<FindTarget> {
  const wanted = wantedTargets(edges, scope)
  const found = await Promise.all(wanted.map((group) => findGroup(unit, group)))
  return targetFinder(scope, wanted, found)
}

async function findGroup(
  unit: UnitOfWork,
  { type, locale, documentIds, ids }: WantedTargets,
): Promise<FoundTargets> {
  // The first collection decides whether a document exists. The others are searched because payloads may contain record
  // ids of published versions.
  const collections = collectionsOf(type)
  const [collection = ''] = collections
  const byId = new Map<number, string>()
  for (const name of collections)
    for (const [id, found] of await findAll(ids, (key) => findDocumentId(unit, name, key)))
      byId.set(id, found)
  const wanted = new Set([...documentIds, ...byId.values()])
  const also = isFile(type) ? 'mime' : undefined
  const found = await findAll(wanted, async (documentId) => {
    const key = { collection, field: 'documentId', text: documentId, locale, also }
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
