import type { Db } from 'mongodb'
import { isLegacyId, legacyIds, legacyKey } from '../../../server/content/legacy-ids.js'
import type { ExportedEntity } from '../archive/exported.js'

/** Keeps by which ids rows were known before, where they were known by others. */
export async function keepLegacyIds(db: Db, rows: readonly ExportedEntity[]): Promise<void> {
  const operations = rows.flatMap(({ type, formerId, data: { documentId, locale } }) => {
    if (formerId === undefined || !isLegacyId(formerId) || typeof documentId !== 'string') return []
    const replacement = { documentId, locale: typeof locale === 'string' ? locale : null }
    const filter = { _id: legacyKey(type, formerId) }
    return [{ replaceOne: { filter, replacement, upsert: true } }]
  })
  if (operations.length > 0) await legacyIds(db).bulkWrite(operations, { ordered: false })
}
