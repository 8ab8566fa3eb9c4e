import { isStored } from '../schema/attribute.js'
import type { Segment } from '../schema/attributes-in.js'
import { attributesIn } from '../schema/attributes-in.js'
import type { Structure } from '../schema/content-type.js'
import { isMany, isReferring, targetOf } from '../schema/edge-attribute.js'
import type { Types } from '../schema/stored-places.js'

/** Where a type's documents refer to others: `seo`, then `social[]`, then `profile`. */
export type ReferencePath = Readonly<{
  segments: readonly Segment[]
  field: string
  many: boolean
  /** uid of the type that is referred to; null where each reference names its own. */
  target: string | null
}>

/** Every field in which documents of a structure refer to others, components included. */
export function referencePaths(structure: Structure, types: Types): readonly ReferencePath[] {
  return [...attributesIn(structure, types)].flatMap(({ segments, attribute }) => {
    if (!isReferring(attribute) || !isStored(attribute)) return []
    const many = isMany(attribute)
    const target = attribute.type === 'morph' ? null : targetOf(attribute)
    return [{ segments, field: attribute.storedAs, many, target }]
  })
}

/** `seo.social.profile.documentId`, from a segment on. */
export function pathFrom({ segments, field }: ReferencePath, from: number): string {
  return [...segments.slice(from).map((segment) => segment.field), field, 'documentId'].join('.')
}
