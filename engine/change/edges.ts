import type { MediaAttribute, RelationAttribute } from '../schema/attribute.js'
import type { Structure } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { builtIn, componentOf } from '../schema/registry.js'
import { isObject } from './read-body.js'

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
export function* edgesIn(
  structure: Structure,
  value: unknown,
  registry: Registry,
): Generator<Edge> {
  if (!isObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const attribute = structure.attributes.get(key)
    if (attribute?.type === 'relation' || attribute?.type === 'media')
      yield { attribute, value: inner }
    if (attribute?.type === 'component')
      for (const item of Array.isArray(inner) ? inner : [inner])
        yield* edgesIn(componentOf(registry, attribute.component), item, registry)
    if (attribute?.type === 'dynamiczone' && Array.isArray(inner))
      for (const item of inner as readonly unknown[]) {
        const uid = isObject(item) ? item['__component'] : undefined
        if (typeof uid === 'string' && attribute.components.includes(uid))
          yield* edgesIn(componentOf(registry, uid), item, registry)
      }
  }
}
