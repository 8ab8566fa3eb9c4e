/**
 * Attributes of content-types and components, after their definitions have been checked. Types and options have
 * Strapi's names, so existing definitions work unchanged.
 */

import type { Condition } from './condition.js'
import type { MediaType } from './media-type.js'
import type { Pattern } from '../patterns/pattern.js'
import { scalarTypes, type ScalarType } from '../values/scalar-type.js'
import type { SlugOptions } from '../values/slug.js'

export type RelationKind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'

/** The inverse sides of a polymorphic relation. */
export type MorphKind = 'morphOne' | 'morphMany'

/** Members of every attribute. */
export type AttributeBase = Readonly<{
  /** The name in requests and responses. The rules are in `checkAttributeName`. */
  name: string
  /** The field of the MongoDB document that stores it (docs/storage.md, "An entry version"). */
  storedAs: string
  required: boolean
  /** Never shown, filtered, sorted, searched or selected through `/api`; writable. */
  private: boolean
  /**
   * Absent: the attribute may be written. `false`: a request body that contains it is rejected, and it is never
   * required.
   */
  writable?: false
  /** The `conditions.visible` option. `required` has no effect while the other values do not meet the condition. */
  visibleIf?: Condition
  /** Whether each locale has its own value; false on types that are not localized. */
  localized: boolean
}>

/** A value that is stored as it is, in one field. */
export type ScalarAttribute = AttributeBase &
  Readonly<{
    type: ScalarType
    unique: boolean
    /** `false`: `_q` does not search it (docs/decisions.md, "Search"). */
    searchable?: false
    /** Whether the attribute has an index `{locale, attr, _id}`. */
    index: boolean
    /** The value that a create writes if the request does not contain the attribute. Undefined: none. */
    default?: unknown
    min?: number | string
    max?: number | string
    minLength?: number
    maxLength?: number
    /** Source of the pattern that text must match, without slashes. */
    regex?: string
    /** The compiled `regex`. */
    pattern?: Pattern
    /** The allowed values of an enumeration; empty for other types. */
    enum: readonly string[]
    /** For a uid: the attribute from which editors derive its value. */
    targetField?: string
    /** How a `uid` is generated from its `targetField`. */
    slugOptions?: SlugOptions
    /**
     * For attributes of the file type: whether the value is the URL of the content, or the resized versions with their
     * URLs.
     */
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
    /** uids of the components that the zone may contain. */
    components: readonly string[]
    min?: number
    max?: number
  }>

/** A relation to the built-in file type. It is stored as a reference, like any relation. */
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
    /** Name of the attribute at the other end. Absent on one-sided relations. */
    inverseSide?: string
    /** For the inverse side of a polymorphic relation: the type uid in the references to entries of this type. */
    referredAs?: string
    /** Whether this end shows a list. */
    many: boolean
    /** Whether connecting a target removes it from its previous source: two-sided oneToOne and oneToMany. */
    exclusive: boolean
    /**
     * Set if the relation has no separate index. Its sources are then found by their list of references
     * (docs/storage.md, "References").
     */
    listed?: true
  }>

/** An attribute that stores a relation. The relation may have an inverse side. */
export type OwningAttribute = RelationAttribute | MorphAttribute

/**
 * The side that stores a polymorphic relation (`morphToOne`, `morphToMany`). It refers to entries of any content-type,
 * and each reference contains the type (docs/storage.md, "Relations").
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

/**
 * Whether entries store the attribute in a field. Only the inverse side of a relation has no field, because it is a
 * query.
 */
export function isStored(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.owner
}

/** Whether the attribute may be shown, filtered, sorted or selected. Private attributes and passwords never may. */
export function isReadable(attribute: Attribute): boolean {
  return !attribute.private && attribute.type !== 'password'
}

/**
 * Whether the attribute's values may have different structures, so that a member name may mean something else in each
 * of them.
 */
export function isOfSeveral(
  attribute: Attribute,
): attribute is DynamicZoneAttribute | MorphAttribute {
  return attribute.type === 'dynamiczone' || attribute.type === 'morph'
}

/** Whether the attribute is a relation that entries store in a field. */
export function isOwning(attribute: Attribute): attribute is OwningAttribute {
  return attribute.type === 'morph' || (attribute.type === 'relation' && attribute.owner)
}

/** Default maximum length of `string`, which has a single-line input in forms. */
const defaultMaxLength = 255

/** Returns the maximum length of a text. `Infinity`: no limit. */
export const maxLengthOf = ({ maxLength, type }: ScalarAttribute): number =>
  maxLength ?? (type === 'string' ? defaultMaxLength : Infinity)
