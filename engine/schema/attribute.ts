/**
 * What an attribute of a content-type or component is, once its definition has been checked.
 * The names of types and options are Strapi's, so that existing definitions are read as they are.
 */

import type { Condition } from './condition.js'
import type { MediaType } from './media-type.js'
import type { Pattern } from '../patterns/pattern.js'
import { scalarTypes, type ScalarType } from '../values/scalar-type.js'
import type { SlugOptions } from '../values/slug.js'

export type RelationKind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'

/** The other sides of a polymorphic relation. */
export type MorphKind = 'morphOne' | 'morphMany'

/** What every attribute has. */
export type AttributeBase = Readonly<{
  /** The name in requests and answers; begins with a letter. */
  name: string
  /** The field of the MongoDB document that holds it (docs/storage.md, "An entry version"). */
  storedAs: string
  required: boolean
  /** Never shown, filtered, sorted, searched or selected through `/api`; writable. */
  private: boolean
  /** Absent: it may be written. Otherwise a body that names it is refused, and nobody asks for it. */
  writable?: false
  /** `conditions.visible`: where it is not met by the other values, `required` asks for nothing. */
  visibleIf?: Condition
  /** Whether each locale has its own value; false on types that are not localized. */
  localized: boolean
}>

/** A value that is stored as it is, in one field. */
export type ScalarAttribute = AttributeBase &
  Readonly<{
    type: ScalarType
    unique: boolean
    /** Whether `_q` passes it over (docs/decisions.md, "Search"); absent: it does not. */
    searchable?: false
    /** Asks for an index `{locale, attr, _id}`. */
    index: boolean
    /** Written when a create does not name the attribute; undefined = none. */
    default?: unknown
    min?: number | string
    max?: number | string
    minLength?: number
    maxLength?: number
    /** Source of the pattern that text must match, without slashes. */
    regex?: string
    /** The same, compiled. */
    pattern?: Pattern
    /** The allowed values of an enumeration; empty for other types. */
    enum: readonly string[]
    /** Of a uid: the attribute from which editors derive it. */
    targetField?: string
    /** How a `uid` is made of its `targetField`. */
    slugOptions?: SlugOptions
    /** Of a file: the address of its content, or smaller versions with theirs. */
    holds?: 'link' | 'versions'
  }>

export type ComponentAttribute = AttributeBase &
  Readonly<{
    type: 'component'
    /** uid of the component, `<category>.<name>`. */
    component: string
    repeatable: boolean
    min?: number
    max?: number
  }>

export type DynamicZoneAttribute = AttributeBase &
  Readonly<{
    type: 'dynamiczone'
    /** uids of the components it may hold. */
    components: readonly string[]
    min?: number
    max?: number
  }>

/** An edge to the built-in file type; stored as a reference like any relation. */
export type MediaAttribute = AttributeBase &
  Readonly<{
    type: 'media'
    multiple: boolean
    /** `images`, `videos`, `audios`, `files`; empty = any. */
    allowedTypes: readonly MediaType[]
  }>

export type RelationAttribute = AttributeBase &
  Readonly<{
    type: 'relation'
    relation: RelationKind | MorphKind
    /** uid of the content-type at the other end. */
    target: string
    /** Whether references are stored on this side (docs/storage.md, "Relations"). */
    owner: boolean
    /** Name of the attribute at the other end; absent on one-sided relations. */
    counterpart?: string
    /** Of the other side of a polymorphic relation: what its references to entries of this type say they are of. */
    referredAs?: string
    /** Whether this end shows a list. */
    many: boolean
    /** Whether connecting a target takes it from its former owner: two-sided oneToOne and oneToMany. */
    exclusive: boolean
    /** Whether it has no index of its own, so that its owners are found by what they list (docs/storage.md, "References"). */
    listed?: true
  }>

/** An attribute in which a relation is stored that may have another side. */
export type OwningAttribute = RelationAttribute | MorphAttribute

/**
 * The side of a polymorphic relation that stores it (`morphToOne`, `morphToMany`): it refers to entries of any
 * content-type, each reference with its type (docs/storage.md, "Relations").
 */
export type MorphAttribute = AttributeBase &
  Readonly<{
    type: 'morph'
    many: boolean
  }>

export type Attribute =
  | ScalarAttribute
  | ComponentAttribute
  | DynamicZoneAttribute
  | MediaAttribute
  | RelationAttribute
  | MorphAttribute

export function isScalar(attribute: Attribute): attribute is ScalarAttribute {
  return (scalarTypes as readonly string[]).includes(attribute.type)
}

/** Whether an entry has a field for it: all but the inverse side of a relation, which is a query. */
export function isStored(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.owner
}

/** Whether it may be shown, filtered, sorted or selected: private ones and passwords never are. */
export function isReadable(attribute: Attribute): boolean {
  return !attribute.private && attribute.type !== 'password'
}

/** Whether its values are of several structures, so that no name means the same in all of them. */
export function isOfSeveral(
  attribute: Attribute,
): attribute is DynamicZoneAttribute | MorphAttribute {
  return attribute.type === 'dynamiczone' || attribute.type === 'morph'
}

/** Whether it is a relation that entries have a field for. */
export function isOwning(attribute: Attribute): attribute is OwningAttribute {
  return attribute.type === 'morph' || (attribute.type === 'relation' && attribute.owner)
}

/** Texts that are kept in one line of a form. */
const defaultMaxLength = 255

/** How long a text may be; `Infinity` = as long as it wants. */
export const maxLengthOf = ({ maxLength, type }: ScalarAttribute): number =>
  maxLength ?? (type === 'string' ? defaultMaxLength : Infinity)
