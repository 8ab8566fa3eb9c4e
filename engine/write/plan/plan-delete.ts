import type { ContentType } from '../../schema/content-type.js'
import { collectionsOf } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { hasListIndex } from '../../schema/index-list.js'
import { referencePaths } from '../../repair/reference-paths.js'
import { newestTypesOf } from '../../schema/whole-types.js'
import type { ReferenceRemoval } from './plan-removal.js'
import { planRemoval } from './plan-removal.js'

export type DeletePlan = Readonly<{
  documentId: string
  /** `*` = all locales. */
  locale: string | null
  /** The first collection decides whether a document exists. */
  collections: readonly string[]
  /** Required revision of the draft or only version. */
  ifRevision?: number | undefined
  /** Required `updatedAt` of the draft or only version. */
  ifUpdatedAt?: Date
}>

/**
 * Plans the removal of references to documents of a type: one command for each collection whose versions may contain
 * such references. Considers the definitions of this registry and the newest ones.
 */
export function planRemovals(
  registry: Registry,
  target: ContentType,
  documentIds: readonly string[],
): readonly ReferenceRemoval[] {
  const types = newestTypesOf(registry)
  return [...types.contentTypes.values()].flatMap((type) => {
    const paths = referencePaths(type, types).filter(
      (path) => path.target === null || path.target === target.uid,
    )
    if (paths.length === 0) return []
    const by = hasListIndex(type) ? 'list' : 'fields'
    return collectionsOf(type).map((collection) =>
      planRemoval(collection, paths, target.uid, documentIds, by),
    )
  })
}
