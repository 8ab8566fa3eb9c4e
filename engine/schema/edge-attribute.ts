import type { Attribute, MediaAttribute, MorphAttribute, RelationAttribute } from './attribute.js'
import { builtIn } from './registry.js'

/** An attribute whose references all lead to one content-type. */
export type EdgeAttribute = RelationAttribute | MediaAttribute

/** An attribute that contains references, to one content-type or to any. */
export type ReferringAttribute = EdgeAttribute | MorphAttribute

export function isEdgeAttribute(attribute: Attribute): attribute is EdgeAttribute {
  return attribute.type === 'relation' || attribute.type === 'media'
}

export function isReferring(attribute: Attribute): attribute is ReferringAttribute {
  return isEdgeAttribute(attribute) || attribute.type === 'morph'
}

/** Returns the uid of the target type. */
export function targetOf(attribute: EdgeAttribute): string {
  return attribute.type === 'media' ? builtIn.file : attribute.target
}

/** Whether the value is a list of references. */
export function isMany(attribute: ReferringAttribute): boolean {
  return attribute.type === 'media' ? attribute.multiple : attribute.many
}
