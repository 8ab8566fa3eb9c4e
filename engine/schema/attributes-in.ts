import type { Attribute } from './attribute.js'
import type { Component, Structure } from './content-type.js'

type AttributePath = Readonly<{ segments: readonly Segment[]; attribute: Attribute }>

/** One step of a path: into a component, or into those items of a dynamic zone that belong to one component. */
export type Segment = Readonly<{
  field: string
  isList: boolean
  component?: string
}>

/**
 * Yields the attributes of a content-type or component that pass `isMeant`, each followed by those inside its
 * components. No component contains itself (`checkContainment`), so the recursion ends.
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

/** The components of a registry or of stored definitions. The latter may refer to components that are missing here. */
type Components = Readonly<{ components: ReadonlyMap<string, Component> }>

/** Returns the components whose values an attribute may contain. */
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
