import type { ContentType } from '../../schema/content-type.js'
import { collectionsOf } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import type { ReferencePath } from '../../repair/reference-paths.js'
import { referenceText, referencesField } from '../../values/references.js'
import { placeText } from '../../schema/reference-places.js'
import { pathFrom, referencePaths } from '../../repair/reference-paths.js'

export type DeletePlan = Readonly<{
  documentId: string
  /** `*` = all of them. */
  locale: string | null
  /** The one that decides whether a document exists first. */
  collections: readonly string[]
  /** Revision that the draft or only version must have. */
  ifRevision?: number
  /** When it must have been written last. */
  ifUpdatedAt?: Date
}>

/** One `updateMany` that takes documents out of one field. */
export type ReferenceRemoval = Readonly<{
  collection: string
  filter: Readonly<Record<string, unknown>>
  update: Readonly<Record<string, unknown>>
  arrayFilters: readonly Readonly<Record<string, unknown>>[]
}>

/** Every field of the registry that may refer to a document of a type that is gone, components included. */
export function planRemovals(
  registry: Registry,
  target: ContentType,
  documentId: string,
): readonly ReferenceRemoval[] {
  return [...registry.contentTypes.values()].flatMap((type) => {
    const paths = referencePaths(type, registry).filter(
      (path) => path.target === null || path.target === target.uid,
    )
    return collectionsOf(type).flatMap((collection) =>
      paths.map((path) => planRemoval(collection, path, target.uid, [documentId])),
    )
  })
}

/**
 * Takes documents of a type out of one place. Lists on the way are addressed by filters, because not each of their
 * components has the rest of the path. A documentId is never given twice, so that it tells the type as well.
 */
export function planRemoval(
  collection: string,
  path: ReferencePath,
  uid: string,
  documentIds: readonly string[],
): ReferenceRemoval {
  const gone = { $in: documentIds }
  const arrayFilters: Record<string, unknown>[] = []
  const steps = path.segments.map((segment, at) => {
    if (!segment.isList) return segment.field
    const name = `e${arrayFilters.length}`
    const component =
      segment.component === undefined ? {} : { [`${name}.__component`]: segment.component }
    arrayFilters.push({ [`${name}.${pathFrom(path, at + 1)}`]: gone, ...component })
    return `${segment.field}.$[${name}]`
  })
  const place = [...steps, path.field].join('.')
  const text = placeText(path.segments, path.field)
  const named = path.target === null ? uid : undefined
  return {
    collection,
    filter: { [pathFrom(path, 0)]: gone },
    update: {
      ...(path.many ? {} : { $set: { [place]: null } }),
      $pull: {
        ...(path.many ? { [place]: { documentId: gone } } : {}),
        [referencesField]: { $in: documentIds.map((id) => referenceText(text, id, named)) },
      },
      $inc: { _revision: 1 },
    },
    arrayFilters,
  }
}
