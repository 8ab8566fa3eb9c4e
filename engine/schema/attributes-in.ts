import type { Attribute } from './attribute.js'
import type { Component, Structure } from './content-type.js'

/** An attribute, and the way to its values from the structure where it was looked for. */
type AttributePath = Readonly<{ segments: readonly Segment[]; attribute: Attribute }>

/** A step of the way: into a component, or into the entries of a dynamic zone that are of one component. */
export type Segment = Readonly<{
  field: string
  isList: boolean
  /** Of an entry of a dynamic zone: the component that has the rest of the path. */
  component?: string
}>

/**
 * All attributes of a structure and of the components in it, a component before what it holds. It ends,
 * because no component holds itself (`checkContainment`). What an attribute holds that is not meant is left out, too.
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

/** A registry's, or those of definitions that were checked by an older version, where one may be missing. */
type Components = Readonly<{ components: ReadonlyMap<string, Component> }>

/** What the values of an attribute are made of, where it is a component or a dynamic zone. */
export function structuresOf(
  attribute: Attribute,
  { components }: Components,
): readonly Component[] {
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return []
  const uids = attribute.type === 'component' ? [attribute.component] : attribute.components
  return uids.flatMap((uid) => components.get(uid) ?? [])
}

/** The step from a structure into what one of its attributes holds. */
function segmentOf(attribute: Attribute, { uid }: Structure): Segment {
  const field = attribute.storedAs
  if (attribute.type === 'dynamiczone') return { field, isList: true, component: uid }
  return { field, isList: attribute.type === 'component' && attribute.repeatable }
}
