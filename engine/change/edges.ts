import type { Structure } from '../schema/content-type.js'
import type { EdgeAttribute } from '../schema/edge-attribute.js'
import { isEdgeAttribute } from '../schema/edge-attribute.js'
import { membersIn } from '../schema/members-in.js'
import type { Registry } from '../schema/registry.js'

/** What a body says of a relation or media field, wherever in it. */
export type Edge = Readonly<{ attribute: EdgeAttribute; value: unknown }>

/** All relations and media that a body names, components included; values of a wrong shape are passed over. */
export function* edgesIn(structure: Structure, body: unknown, registry: Registry): Generator<Edge> {
  for (const { attribute, value } of membersIn(structure, body, registry))
    if (isEdgeAttribute(attribute)) yield { attribute, value }
}
