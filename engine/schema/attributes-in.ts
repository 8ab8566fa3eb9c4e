import type { Attribute } from './attribute.js'
import type { Component, Structure } from './content-type.js'

/** An attribute, and the path to it from the content-type or component where the search began. */
type AttributePath = Readonly<{ segments: readonly Segment[]; attribute: Attribute }>

/** One step of a path: into a component, or into the items of a dynamic zone that belong to one component. */
export type Segment = Readonly<{
  field: string
  isList: boolean
  /** For a step into a dynamic zone: uid of the component that the rest of the path leads through. */
  component?: string
}>

/**
 * Yields all attributes of a content-type or component, including those inside its components. An attribute that
 * contains components comes before the attributes inside them. The recursion ends, because no component contains itself
 * (`checkContainment`). If `isMeant` rejects an attribute, the attributes inside are skipped as well.
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
 * The components of a registry, or of definitions that an older version of Quire has checked. Old definitions may refer
 * to components that are missing here.
 */
type Components = Readonly<{ components: ReadonlyMap<string, Component> }>

/**
 * Returns the components whose values an attribute may contain. The list is empty unless the attribute is a component
 * field or a dynamic zone.
 */
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
