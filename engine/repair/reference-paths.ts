import { isStored } from '../schema/attribute.js'
import type { Segment } from '../schema/attributes-in.js'
import { attributesIn } from '../schema/attributes-in.js'
import type { Structure } from '../schema/content-type.js'
import { isMany, isReferring, targetOf } from '../schema/edge-attribute.js'
import type { Types } from '../schema/stored-places.js'

/**
 * Path to a relation or media field: `seo.social.profile` has the segments `seo` and `social`, and the field `profile`.
 */
export type ReferencePath = Readonly<{
  segments: readonly Segment[]
  field: string
  many: boolean
  /** uid of the target type; null if each reference names its target's type. */
  target: string | null
}>

/** Returns the paths of all relation and media fields, including those in components. */
export function referencePaths(structure: Structure, types: Types): readonly ReferencePath[] {
  return [...attributesIn(structure, types)].flatMap(({ segments, attribute }) => {
    if (!isReferring(attribute) || !isStored(attribute)) return []
    const many = isMany(attribute)
    const target = attribute.type === 'morph' ? null : targetOf(attribute)
    return [{ segments, field: attribute.storedAs, many, target }]
  })
}

/** Returns the path of a documentId from segment number `from` on: `seo.social.profile.documentId`. */
export function pathFrom({ segments, field }: ReferencePath, from: number): string {
  return [...segments.slice(from).map((segment) => segment.field), field, 'documentId'].join('.')
}
