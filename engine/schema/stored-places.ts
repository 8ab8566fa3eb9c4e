import type { Attribute } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import { collectionsOf, type Component, type ContentType, type Structure } from './content-type.js'
import { jsonTypes } from '../values/scalar-type.js'

/** Stored entries of a content-type: all of them, or only those with a value in a certain field. */
export type StoredPlace = Readonly<{
  /** uid of the content-type of the entries. */
  type: string
  collections: readonly string[]
  /** The field in which an entry must have a value to be included; default: all entries are included. */
  value?: Readonly<{
    /** Path of the field, such as `seo.metaTitle`. In a dynamic zone, it is relative to the zone's items. */
    field: string
    /** Path to the entry or component that contains the field. `storedAs` is the name of the field there. */
    segments: readonly Segment[]
    storedAs: string
    /** Whether the field contains JSON. An array is then a single value, not a list that may be empty. */
    json: boolean
    /** The dynamic zone that contains the field, and the component that the field belongs to. */
    zone?: Readonly<{ field: string; component: string }>
  }>
}>

/** Content-types and components to compare: those of a registry, or of stored definitions. */
export type Types = Readonly<{
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
}>

/**
 * Types with additional attributes. Entries may contain attributes that are not in the registry, because other
 * instances serve newer or older definitions (docs/internals/storage.md, "Several definitions").
 */
export type WholeTypes = Readonly<{
  /** Types with every attribute that any version of the definitions contains. */
  stored: Types
  /**
   * Types with the attributes of this registry and of the newest definitions. All of these attributes have their
   * indexes.
   */
  newest: Types
}>

/**
 * Returns where values of an attribute may be stored: in entries of its content-type, or of all types that use its
 * component.
 * @param attribute an attribute in `types`
 * @param previous the types by which the entries were stored. They decide which components are lists
 */
export function placesOf(
  attribute: Attribute,
  types: Types,
  previous: Types = types,
): readonly StoredPlace[] {
  const json = jsonTypes.has(attribute.type)
  return [...types.contentTypes.values()].flatMap((owner) =>
    [...attributesIn(owner, types)]
      .filter((path) => path.attribute === attribute)
      .map(({ segments }) => ({
        type: owner.uid,
        collections: collectionsOf(owner),
        value: {
          ...fieldBelow(segments, attribute.storedAs),
          segments: asStored(segments, previous.contentTypes.get(owner.uid), previous),
          ...{ storedAs: attribute.storedAs, json },
        },
      })),
  )
}

/** Returns a path whose `isList` values come from the definitions by which the entries were stored. */
function asStored(
  [segment, ...rest]: readonly Segment[],
  structure: Structure | undefined,
  { components }: Pick<Types, 'components'>,
): readonly Segment[] {
  if (segment === undefined) return []
  const attribute = [...(structure?.attributes.values() ?? [])].find(
    ({ storedAs }) => storedAs === segment.field,
  )
  const isOne = attribute?.type === 'component'
  const below = isOne ? attribute.component : (segment.component ?? '')
  return [
    isOne ? { ...segment, isList: attribute.repeatable } : segment,
    ...asStored(rest, components.get(below), { components }),
  ]
}

/**
 * Returns the path of a field as a string. A dynamic zone can only be the first segment, because components contain
 * none.
 */
function fieldBelow(segments: readonly Segment[], last: string) {
  const [first, ...below] = [...segments.map(({ field }) => field), last]
  const component = segments[0]?.component
  if (first === undefined || component === undefined) return { field: [first, ...below].join('.') }
  return { field: below.join('.'), zone: { field: first, component } }
}
