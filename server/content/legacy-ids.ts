import type { Collection, Db } from 'mongodb'
import { ApiError } from '../../engine/errors.js'
import type { Documents, ReadRequest } from './documents.js'

/**
 * The id that an entry had before its import (docs/internals/storage.md, "Legacy ids"), when each locale had an id of
 * its own. `_id` is the `legacyKey`.
 */
export type LegacyId = Readonly<{ _id: string; documentId: string; locale: string | null }>

export const legacyIds = (db: Db): Collection<LegacyId> => db.collection<LegacyId>('_legacyIds')

/** Returns the `_id` of a `LegacyId`. `id` must be in lower case. */
export const legacyKey = (uid: string, id: string): string => `${uid}:${id}`

/** Returns whether a string looks like a MongoDB ObjectId. */
export const isLegacyId = (id: string): boolean => /^[0-9a-f]{24}$/i.test(id)

/**
 * Makes `findOne` accept ids from before an import (`import.legacyIds`). documentIds take precedence. For an old id,
 * shows the locale that had this id, unless the request selects a locale.
 */
export const withLegacyIds = (documents: Documents, db: Db): Documents => ({
  ...documents,
  findOne: async (type, key, request) => {
    try {
      return await documents.findOne(type, key, request)
    } catch (error) {
      const isMissing = error instanceof ApiError && error.code === 'not-found'
      if (!isMissing || !('documentId' in key) || !isLegacyId(key.documentId)) throw error
      const _id = legacyKey(type.uid, key.documentId.toLowerCase())
      const found = await legacyIds(db).findOne({ _id })
      if (found === null) throw error
      const { documentId, locale } = found
      return documents.findOne(type, { documentId }, inLocale(request, locale))
    }
  },
})

function inLocale(request: ReadRequest, locale: string | null): ReadRequest {
  const { search } = request
  if (locale === null || new URLSearchParams(search).has('locale')) return request
  const parameter = `locale=${encodeURIComponent(locale)}`
  return { ...request, search: search === '' ? parameter : `${search}&${parameter}` }
}
