import type { Attribute } from './attribute.js'
import type { Component, Structure } from './content-type.js'

/** An attribute, and the path to its values from the structure where the search began. */
type AttributePath = Readonly<{ segments: readonly Segment[]; attribute: Attribute }>

/** A step of a path: into a component, or into those members of a dynamic zone that belong to one component. */
export type Segment = Readonly<{
  field: string
  isList: boolean
  /** For a dynamic zone: the component that has the rest of the path. */
  component?: string
}>

/**
 * Yields all attributes of a structure and of the components in it, a component before its content. The recursion ends,
 * because no component contains itself (`checkContainment`). If `isMeant` rejects an attribute, its content is skipped
 * too.
 */
export function* attributesIn(
  structure: Structure,
  known: Components,
  isMeant: (attribute: Attribute) => boolean = () => true,
  segments: readonly Segment[] = [],
): Generator<AttributePath> {
  for (const attribute of structure.attributes.values()) {
    if (!isMeant(attribute)) continue
    yield { segments, attribute }
    for (const component of structuresOf(attribute, known))
      yield* attributesIn(component, known, isMeant, [...segments, segmentOf(attribute, component)])
  }
}

/**
 * The components of a registry, or of definitions that an older version of Quire checked. In older definitions, a
 * component may be missing.
 */
type Components = Readonly<{ components: ReadonlyMap<string, Component> }>

/** Returns the components that the values of a component or dynamic zone may have. */
export function structuresOf(
  attribute: Attribute,
  { components }: Components,
): readonly Component[] {
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return []
  const uids = attribute.type === 'component' ? [attribute.component] : attribute.components
  return uids.flatMap((uid) => components.get(uid) ?? [])
}

function segmentOf(attribute: Attribute, { uid }: Structure): Segment {
  const field = attribute.storedAs
  if (attribute.type === 'dynamiczone') return { field, isList: true, component: uid }
  return { field, isList: attribute.type === 'component' && attribute.repeatable }
}
