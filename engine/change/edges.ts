import type { MediaAttribute, RelationAttribute } from '../schema/attribute.js'
import type { Structure } from '../schema/content-type.js'
import { membersIn } from '../schema/members-in.js'
import type { Registry } from '../schema/registry.js'
import { builtIn } from '../schema/registry.js'

export type EdgeAttribute = RelationAttribute | MediaAttribute

/** What a body says of a relation or media field, wherever in it. */
export type Edge = Readonly<{ attribute: EdgeAttribute; value: unknown }>

/** uid of the type at the other end. */
export function targetOf(attribute: EdgeAttribute): string {
  return attribute.type === 'media' ? builtIn.file : attribute.target
}

/** Whether a field holds a list of references. */
export function isMany(attribute: EdgeAttribute): boolean {
  return attribute.type === 'media' ? attribute.multiple : attribute.many
}

/** All relations and media that a body names, components included; values of a wrong shape are passed over. */
export function* edgesIn(structure: Structure, body: unknown, registry: Registry): Generator<Edge> {
  for (const { attribute, value } of membersIn(structure, body, registry))
    if (attribute.type === 'relation' || attribute.type === 'media') yield { attribute, value }
}
