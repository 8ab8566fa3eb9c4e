import type { Attribute, MediaAttribute, RelationAttribute } from './attribute.js'
import { builtIn } from './registry.js'

/** An attribute that leads to documents. */
export type EdgeAttribute = RelationAttribute | MediaAttribute

export function isEdgeAttribute(attribute: Attribute): attribute is EdgeAttribute {
  return attribute.type === 'relation' || attribute.type === 'media'
}

/** uid of the type at the other end. */
export function targetOf(attribute: EdgeAttribute): string {
  return attribute.type === 'media' ? builtIn.file : attribute.target
}

/** Whether a field holds a list of references. */
export function isMany(attribute: EdgeAttribute): boolean {
  return attribute.type === 'media' ? attribute.multiple : attribute.many
}
