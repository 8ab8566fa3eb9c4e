import type { Attribute, MediaAttribute, MorphAttribute, RelationAttribute } from './attribute.js'
import { builtIn } from './registry.js'

/** An attribute that refers to documents of one type. */
export type EdgeAttribute = RelationAttribute | MediaAttribute

/** An attribute that refers to documents of one type or of any type. */
export type ReferringAttribute = EdgeAttribute | MorphAttribute

export function isEdgeAttribute(attribute: Attribute): attribute is EdgeAttribute {
  return attribute.type === 'relation' || attribute.type === 'media'
}

export function isReferring(attribute: Attribute): attribute is ReferringAttribute {
  return isEdgeAttribute(attribute) || attribute.type === 'morph'
}

/** Returns the uid of the type at the other end. */
export function targetOf(attribute: EdgeAttribute): string {
  return attribute.type === 'media' ? builtIn.file : attribute.target
}

/** Whether a field holds a list of references. */
export function isMany(attribute: ReferringAttribute): boolean {
  return attribute.type === 'media' ? attribute.multiple : attribute.many
}
