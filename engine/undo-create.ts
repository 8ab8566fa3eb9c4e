import type { Db } from 'mongodb'
import { executeDelete, executeRemovals, exists } from './execute/write-delete.js'
import { collectionsOf, planRemovals } from './plan/write-delete.js'
import type { ContentType } from './schema/content-type.js'
import { collectionOf } from './schema/content-type.js'
import type { Registry } from './schema/registry.js'

type Created = Readonly<{
  db: Db
  registry: Registry
  type: ContentType
  documentId: string
  locale: string | null
}>

/**
 * Takes back versions that a write has just made in a locale, and references to the document where they were
 * its only ones. What somebody wrote since stays.
 * @param revision of the draft or only version, as it was made
 */
export async function undoCreate(
  { db, registry, type, documentId, locale }: Created,
  revision: number,
): Promise<void> {
  const collections = collectionsOf(type)
  const plan = { documentId, locale, collections, ifRevision: revision }
  if ((await executeDelete(db, plan)) === 'stale') return
  if (await exists(db, collectionOf(type, 'draft'), documentId)) return
  await executeRemovals(db, planRemovals(registry, type, documentId))
}
