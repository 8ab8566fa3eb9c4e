import type { Attribute } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import { collectionsOf, type Component, type ContentType } from './content-type.js'
import { jsonTypes } from '../values/scalar-type.js'

/** Where entries of a type are, or those of them that have a value. */
export type StoredPlace = Readonly<{
  /** uid of the type whose entries they are. */
  type: string
  collections: readonly string[]
  /** The value that makes an entry one of these; absent = every entry is. */
  value?: Readonly<{
    /** `seo.metaTitle`; of a dynamic zone's member, below the member. */
    field: string
    /** The way to the structure that holds it, and its field there. */
    segments: readonly Segment[]
    storedAs: string
    /** Whether an array is a value of its own, and not a list of values that may be empty. */
    json: boolean
    /** The dynamic zone whose members of one component hold it. */
    zone?: Readonly<{ field: string; component: string }>
  }>
}>

/** Types as they are compared: of a registry, or of definitions that were checked before. */
export type Types = Readonly<{
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
}>

/**
 * What entries may hold beside what a registry serves, because other instances serve newer or older definitions
 * (docs/storage.md, "Several definitions").
 */
export type WholeTypes = Readonly<{
  /** With every attribute that a definition has or had. */
  stored: Types
  /** With those that the newest definitions have: whatever is looked for by them has its index. */
  newest: Types
}>

/**
 * Where values of an attribute may be stored: in its type, or wherever its component is used.
 * @param attribute one of those in `types`
 */
export function placesOf(attribute: Attribute, types: Types): readonly StoredPlace[] {
  const json = jsonTypes.has(attribute.type)
  return [...types.contentTypes.values()].flatMap((owner) =>
    [...attributesIn(owner, types)]
      .filter((path) => path.attribute === attribute)
      .map(({ segments }) => ({
        type: owner.uid,
        collections: collectionsOf(owner),
        value: {
          ...fieldBelow(segments, attribute.storedAs),
          ...{ segments, storedAs: attribute.storedAs, json },
        },
      })),
  )
}

/** Only an entry holds dynamic zones, so one is where the way begins. */
function fieldBelow(segments: readonly Segment[], last: string) {
  const [first, ...below] = [...segments.map(({ field }) => field), last]
  const component = segments[0]?.component
  if (first === undefined || component === undefined) return { field: [first, ...below].join('.') }
  return { field: below.join('.'), zone: { field: first, component } }
}
