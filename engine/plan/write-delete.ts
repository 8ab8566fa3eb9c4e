import type { Attribute } from '../schema/attribute.js'
import type { ContentType, Status, Structure } from '../schema/content-type.js'
import { collectionOf } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { builtIn, componentOf } from '../schema/registry.js'

export type DeletePlan = Readonly<{
  documentId: string
  /** `*` = all of them. */
  locale: string | null
  /** The one that decides whether a document exists first. */
  collections: readonly string[]
  /** Revision that the draft or only version must have. */
  ifRevision?: number
}>

/** One `updateMany` that takes a document out of one field. */
export type ReferenceRemoval = Readonly<{
  collection: string
  filter: Readonly<Record<string, unknown>>
  update: Readonly<Record<string, unknown>>
  arrayFilters: readonly Readonly<Record<string, unknown>>[]
}>

/** Where references to a type are kept: `seo` then `social[]` then `profile`. */
type ReferencePath = Readonly<{
  segments: readonly Readonly<{ field: string; isList: boolean; component?: string }>[]
  field: string
  many: boolean
}>

const statuses: readonly Status[] = ['draft', 'published']

/** Collections of a type, the authority first. */
export function collectionsOf(type: ContentType): readonly string[] {
  return [...new Set(statuses.map((status) => collectionOf(type, status)))]
}

/** Every field of the registry that may refer to a document of a type that is gone, components included. */
export function planRemovals(
  registry: Registry,
  target: ContentType,
  documentId: string,
): readonly ReferenceRemoval[] {
  return [...registry.contentTypes.values()].flatMap((type) => {
    const paths = pathsTo(type, target.uid, registry)
    return collectionsOf(type).flatMap((collection) =>
      paths.map((path) => planRemoval(collection, path, documentId)),
    )
  })
}

function pathsTo(structure: Structure, uid: string, registry: Registry): readonly ReferencePath[] {
  return [...structure.attributes.values()].flatMap((attribute) => {
    const field = attribute.storedAs
    if (refersTo(attribute, uid)) return [{ segments: [], field, many: isMany(attribute) }]
    if (attribute.type === 'component')
      return pathsTo(componentOf(registry, attribute.component), uid, registry).map((path) => ({
        ...path,
        segments: [{ field, isList: attribute.repeatable }, ...path.segments],
      }))
    if (attribute.type === 'dynamiczone')
      return attribute.components.flatMap((component) =>
        pathsTo(componentOf(registry, component), uid, registry).map((path) => ({
          ...path,
          segments: [{ field, isList: true, component }, ...path.segments],
        })),
      )
    return []
  })
}

function refersTo(attribute: Attribute, uid: string): boolean {
  if (attribute.type === 'media') return uid === builtIn.file
  return attribute.type === 'relation' && attribute.owner && attribute.target === uid
}

function isMany(attribute: Attribute): boolean {
  return attribute.type === 'media'
    ? attribute.multiple
    : attribute.type === 'relation' && attribute.many
}

/** Lists on the way are addressed by filters, because not each of their components has the rest of the path. */
function planRemoval(
  collection: string,
  { segments, field, many }: ReferencePath,
  documentId: string,
): ReferenceRemoval {
  const rest = (from: number) =>
    [...segments.slice(from).map((segment) => segment.field), field, 'documentId'].join('.')
  const arrayFilters: Record<string, unknown>[] = []
  const path = segments.map((segment, at) => {
    if (!segment.isList) return segment.field
    const name = `e${arrayFilters.length}`
    const component =
      segment.component === undefined ? {} : { [`${name}.__component`]: segment.component }
    arrayFilters.push({ [`${name}.${rest(at + 1)}`]: documentId, ...component })
    return `${segment.field}.$[${name}]`
  })
  const place = [...path, field].join('.')
  return {
    collection,
    filter: { [rest(0)]: documentId },
    update: {
      ...(many ? { $pull: { [place]: { documentId } } } : { $set: { [place]: null } }),
      $inc: { _revision: 1 },
    },
    arrayFilters,
  }
}
