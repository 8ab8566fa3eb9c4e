import type { Db, Document } from 'mongodb'
import { collectionOf, type ContentType } from '../../../engine/schema/content-type.js'
import type { Registry } from '../../../engine/schema/registry.js'

/**
 * Returns drafts that are later than their published version but not marked as modified. Queries that use the mark miss
 * them.
 * @param types the types to read; default: all
 */
export async function unmarkedDrafts(
  db: Db,
  registry: Registry,
  types: Iterable<ContentType> = registry.contentTypes.values(),
): Promise<readonly string[]> {
  const unmarked: string[] = []
  for (const type of types) {
    if (!type.draftAndPublish) continue
    const [drafts, published] = await Promise.all(
      (['draft', 'published'] as const).map((status) =>
        db.collection(collectionOf(type, status)).find().toArray(),
      ),
    )
    for (const draft of drafts ?? []) {
      const isShown = (version: Document): boolean =>
        version['documentId'] === draft['documentId'] && version['locale'] === draft['locale']
      const shown = published?.find(isShown)
      const isModified = shown !== undefined && draft['updatedAt'] > shown['updatedAt']
      if (isModified && draft['_modified'] !== true)
        unmarked.push(`${type.uid} ${draft['documentId']} ${draft['locale']}`)
    }
  }
  return unmarked
}
