import type { Attribute, ScalarAttribute } from '../schema/attribute.js'
import { isReadable, isScalar } from '../schema/attribute.js'
import type { ContentType, Structure } from '../schema/content-type.js'
import type { EdgeAttribute } from '../schema/edge-attribute.js'
import { builtIn, typeOf } from '../schema/registry.js'
import type { Registry } from '../schema/registry.js'
import { componentIdAttribute, systemAttribute } from '../schema/system-attributes.js'
import type { Edge } from './query.js'

/** What a query walks through: a content-type's entries or a component's values. */
export type Ground =
  | Readonly<{
      kind: 'type'
      type: ContentType
      /** The only names that may be named of it; default: all. */
      only?: ReadonlySet<string>
    }>
  | Readonly<{ kind: 'component'; component: Structure }>

/**
 * What is to be seen of an admin user who wrote an entry (docs/decisions.md, "Who wrote an entry"), and hence
 * all that can be asked of them.
 */
export const creatorNames: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'firstname', 'lastname', 'username'],
])

export const structureOf = (ground: Ground): Structure =>
  ground.kind === 'type' ? ground.type : ground.component

/** An attribute of the ground by name, its system attributes included. */
export function findAttribute(ground: Ground, name: string): Attribute | undefined {
  if (ground.kind === 'component') {
    return name === 'id' ? componentIdAttribute : ground.component.attributes.get(name)
  }
  if (ground.only?.has(name) === false) return undefined
  return systemAttribute(ground.type, name) ?? ground.type.attributes.get(name)
}

/** The names that a slip of the pen may have meant: never one of something that nobody may read. */
export function readableNames(ground: Ground): readonly string[] {
  const { only } = ground.kind === 'type' ? ground : {}
  return [...structureOf(ground).attributes.values()]
    .filter((attribute) => isReadable(attribute) && only?.has(attribute.name) !== false)
    .map(({ name }) => name)
}

export function readableScalars(structure: Structure): ScalarAttribute[] {
  return [...structure.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => isScalar(attribute) && isReadable(attribute),
  )
}

/** The edge that a relation or media attribute makes. */
export function edgeOf(registry: Registry, attribute: EdgeAttribute): Edge {
  if (attribute.type === 'media') {
    return { via: 'media', attribute, target: typeOf(registry, builtIn.file) }
  }
  const target = typeOf(registry, attribute.target)
  const counterpart =
    attribute.counterpart === undefined ? undefined : target.attributes.get(attribute.counterpart)
  return {
    via: 'relation',
    attribute,
    counterpart: counterpart?.type === 'relation' ? counterpart : null,
    target,
  }
}
