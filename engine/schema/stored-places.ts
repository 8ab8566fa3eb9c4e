import type { Attribute } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import { collectionsOf, type Component, type ContentType, type Structure } from './content-type.js'
import { jsonTypes } from '../values/scalar-type.js'

/** A set of stored entries: all entries of a type, or only those with a certain value. */
export type StoredPlace = Readonly<{
  /** uid of the entries' type. */
  type: string
  collections: readonly string[]
  /** The value that an entry must have. Absent: all entries. */
  value?: Readonly<{
    /** Path such as `seo.metaTitle`. In a dynamic zone, the path is relative to the member. */
    field: string
    /** The path to the structure that has the value. `storedAs` is the field in that structure. */
    segments: readonly Segment[]
    storedAs: string
    /** Whether an array is a single value, not a list of values that may be empty. */
    json: boolean
    /** The dynamic zone and the component of its members that have the value. */
    zone?: Readonly<{ field: string; component: string }>
  }>
}>

/** Types that can be compared: from a registry, or from definitions that were checked before. */
export type Types = Readonly<{
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
}>

/**
 * The attributes that entries may contain besides those of a registry, because other instances serve newer or older
 * definitions (docs/storage.md, "Several definitions").
 */
export type WholeTypes = Readonly<{
  /** Types with every attribute that a definition has or had. */
  stored: Types
  /** Types with the attributes of the newest definitions. Lookups by these attributes have an index. */
  newest: Types
}>

/**
 * Returns the places where values of an attribute may be stored: in its type, or wherever its component is used.
 * @param attribute one of the attributes in `types`
 * @param previous the types by which the entries were stored: they decide which components are lists
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

/** Returns the path with `isList` as in previous definitions, by which the entries were stored. */
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

/** Returns the path of a field. Only entries have dynamic zones, so a zone is always the first segment. */
function fieldBelow(segments: readonly Segment[], last: string) {
  const [first, ...below] = [...segments.map(({ field }) => field), last]
  const component = segments[0]?.component
  if (first === undefined || component === undefined) return { field: [first, ...below].join('.') }
  return { field: below.join('.'), zone: { field: first, component } }
}
