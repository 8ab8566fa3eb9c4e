import { isStored } from '../schema/attribute.js'
import type { Segment } from '../schema/attributes-in.js'
import { attributesIn } from '../schema/attributes-in.js'
import type { Structure } from '../schema/content-type.js'
import { isEdgeAttribute, isMany, targetOf } from '../schema/edge-attribute.js'
import type { Registry } from '../schema/registry.js'

/** Where a type's documents refer to others: `seo`, then `social[]`, then `profile`. */
export type ReferencePath = Readonly<{
  segments: readonly Segment[]
  field: string
  many: boolean
  /** uid of the type that is referred to. */
  target: string
}>

/** Every field in which documents of a structure refer to others, components included. */
export function referencePaths(structure: Structure, registry: Registry): readonly ReferencePath[] {
  return [...attributesIn(structure, registry)].flatMap(({ segments, attribute }) => {
    if (!isEdgeAttribute(attribute) || !isStored(attribute)) return []
    const [many, target] = [isMany(attribute), targetOf(attribute)]
    return [{ segments, field: attribute.storedAs, many, target }]
  })
}

/** `seo.social.profile.documentId`, from a segment on. */
export function pathFrom({ segments, field }: ReferencePath, from: number): string {
  return [...segments.slice(from).map((segment) => segment.field), field, 'documentId'].join('.')
}
