import type { Attribute } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import { collectionsOf, type Component, type ContentType, type Structure } from './content-type.js'
import { jsonTypes } from '../values/scalar-type.js'

/** Stored entries of a content-type: all, or only those with a value in some field. */
export type StoredPlace = Readonly<{
  type: string
  collections: readonly string[]
  /** Only entries with a value in this field; default: all entries. */
  value?: Readonly<{
    /** Path of the field, such as `seo.metaTitle`; in a dynamic zone, relative to the zone's items. */
    field: string
    /** Path to the component that contains the field `storedAs`; empty for the entry itself. */
    segments: readonly Segment[]
    storedAs: string
    /** Whether the field contains JSON. An array is then a single value, not a list that may be empty. */
    json: boolean
    zone?: Readonly<{ field: string; component: string }>
  }>
}>

/** Content-types and components of a registry, or of stored definitions. */
export type Types = Readonly<{
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
}>

/**
 * Types with attributes that entries may contain because other instances serve newer or older definitions
 * (docs/internals/storage.md, "Several definitions").
 */
export type WholeTypes = Readonly<{
  /** Types with the attributes of all versions of the definitions. */
  stored: Types
  /**
   * Types with the attributes of this registry and of the newest definitions. All these attributes have their indexes.
   */
  newest: Types
}>

/**
 * Returns where values of an attribute may be stored: in its content-type, or in all types that use its component.
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

/** Returns the segments with `isList` as in the definitions by which the entries were stored. */
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

/** Joins the names of a path. Only the first segment can be a dynamic zone, because components contain none. */
function fieldBelow(segments: readonly Segment[], last: string) {
  const [first, ...below] = [...segments.map(({ field }) => field), last]
  const component = segments[0]?.component
  if (first === undefined || component === undefined) return { field: [first, ...below].join('.') }
  return { field: below.join('.'), zone: { field: first, component } }
}
