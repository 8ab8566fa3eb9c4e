import type { Attribute } from '../schema/attribute.js'
import type { Structure } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { builtIn, componentOf } from '../schema/registry.js'

/** Where a type's documents refer to others: `seo`, then `social[]`, then `profile`. */
export type ReferencePath = Readonly<{
  segments: readonly Readonly<{
    field: string
    isList: boolean
    /** Of an entry of a dynamic zone: the component that has the rest of the path. */
    component?: string
  }>[]
  field: string
  many: boolean
  /** uid of the type that is referred to. */
  target: string
}>

/** Every field in which documents of a structure refer to others, components included. */
export function referencePaths(structure: Structure, registry: Registry): readonly ReferencePath[] {
  return [...structure.attributes.values()].flatMap((attribute) => {
    const field = attribute.storedAs
    const own = ownPath(attribute)
    if (own !== undefined) return [own]
    if (attribute.type === 'component')
      return referencePaths(componentOf(registry, attribute.component), registry).map((path) => ({
        ...path,
        segments: [{ field, isList: attribute.repeatable }, ...path.segments],
      }))
    if (attribute.type === 'dynamiczone')
      return attribute.components.flatMap((component) =>
        referencePaths(componentOf(registry, component), registry).map((path) => ({
          ...path,
          segments: [{ field, isList: true, component }, ...path.segments],
        })),
      )
    return []
  })
}

/** `seo.social.profile.documentId`, from a segment on. */
export function pathFrom({ segments, field }: ReferencePath, from: number): string {
  return [...segments.slice(from).map((segment) => segment.field), field, 'documentId'].join('.')
}

function ownPath(attribute: Attribute): ReferencePath | undefined {
  const { storedAs: field } = attribute
  if (attribute.type === 'media')
    return { segments: [], field, many: attribute.multiple, target: builtIn.file }
  if (attribute.type !== 'relation' || !attribute.owner) return undefined
  return { segments: [], field, many: attribute.many, target: attribute.target }
}
