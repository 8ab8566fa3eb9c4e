import type { Attribute } from './attribute.js'
import type { Component, ContentType } from './content-type.js'
import { collectionOf } from './content-type.js'
import { jsonTypes } from '../values/scalar-type.js'

/** Where entries of a type are, or those of them that have a value. */
export type Place = Readonly<{
  /** uid of the type whose entries they are. */
  type: string
  collections: readonly string[]
  /** The value that makes an entry one of these; absent = every entry is. */
  value?: Readonly<{
    /** `seo.metaTitle`; of a dynamic zone's member, below the member. */
    field: string
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

/** Where values of an attribute may be stored: in its type, or wherever its component is used. */
export function placesOf(
  { uid }: Readonly<{ uid: string }>,
  { storedAs, type }: Attribute,
  types: Types,
): readonly Place[] {
  const json = jsonTypes.has(type)
  return [...types.contentTypes.values()].flatMap((owner) => {
    const collections = collectionsOf(owner)
    const at = owner.uid === uid ? [{ field: storedAs }] : usesOf(uid, owner, storedAs, types)
    return at.map((value) => ({ type: owner.uid, collections, value: { ...value, json } }))
  })
}

/** All that hold entries of a type. */
export const collectionsOf = (type: ContentType): readonly string[] => [
  ...new Set([collectionOf(type, 'draft'), collectionOf(type, 'published')]),
]

type Use = Omit<NonNullable<Place['value']>, 'json'>

/** The fields below which an entry holds a component, each with `rest` appended. */
function usesOf(uid: string, owner: ContentType, rest: string, types: Types): readonly Use[] {
  return [...owner.attributes.values()].flatMap((attribute): readonly Use[] => {
    const { storedAs } = attribute
    if (attribute.type === 'component')
      return fieldsOf(uid, attribute.component, rest, types).map((field) => ({
        field: `${storedAs}.${field}`,
      }))
    if (attribute.type !== 'dynamiczone') return []
    return attribute.components.flatMap((component) =>
      fieldsOf(uid, component, rest, types).map((field) => ({
        field,
        zone: { field: storedAs, component },
      })),
    )
  })
}

/** The same inside a component, which may hold others; it never holds itself (`checkContainment`). */
function fieldsOf(uid: string, within: string, rest: string, types: Types): readonly string[] {
  if (within === uid) return [rest]
  const attributes = types.components.get(within)?.attributes.values() ?? []
  return [...attributes].flatMap((attribute) =>
    attribute.type === 'component'
      ? fieldsOf(uid, attribute.component, rest, types).map(
          (field) => `${attribute.storedAs}.${field}`,
        )
      : [],
  )
}
