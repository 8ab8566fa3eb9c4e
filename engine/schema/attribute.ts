/** Attributes after their definitions have been checked. Types and options have the same names as in Strapi. */

import type { Condition } from './condition.js'
import type { MediaType } from './media-type.js'
import type { Pattern } from '../patterns/pattern.js'
import { scalarTypes, type ScalarType } from '../values/scalar-type.js'
import type { SlugOptions } from '../values/slug.js'

export type RelationKind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'

/** Inverse sides of polymorphic relations. */
export type MorphKind = 'morphOne' | 'morphMany'

/** Members that every kind of attribute has. */
export type AttributeBase = Readonly<{
  /** Name in requests and responses. */
  name: string
  /** Name of the field in stored documents (docs/internals/storage.md, "An entry version"). */
  storedAs: string
  required: boolean
  /** Private attributes can be written through `/api`, but not read, filtered, sorted or searched. */
  private: boolean
  /**
   * `false` if the attribute cannot be written. Request bodies may only repeat its stored value, and `required` has no
   * effect.
   */
  writable?: false
  /** The option `conditions.visible`. While the entry does not meet it, `required` has no effect. */
  visibleIf?: Condition
  /** Whether each locale has its own value; false if the content-type is not localized. */
  localized: boolean
}>

/** An attribute that is stored unchanged in one field. */
export type ScalarAttribute = AttributeBase &
  Readonly<{
    type: ScalarType
    unique: boolean
    /** `false` if the search parameter `_q` ignores the attribute (docs/internals/decisions.md, "Search"). */
    searchable?: false
    index: boolean
    /** The value if a create request does not contain the attribute. */
    default?: unknown
    min?: number | string
    max?: number | string
    minLength?: number
    maxLength?: number
    regex?: string
    pattern?: Pattern
    /** Allowed values of an enumeration; empty for other types. */
    enum: readonly string[]
    /** For a uid: the attribute from which its value is generated. */
    targetField?: string
    /** For a uid: how its value is generated from `targetField`. */
    slugOptions?: SlugOptions
    /** Set for the URLs of a file's content (`link`) and resized images (`versions`) in the built-in file type. */
    holds?: 'link' | 'versions'
  }>

export type ComponentAttribute = AttributeBase &
  Readonly<{
    type: 'component'
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

/** A media field. It is stored as a reference, like a relation to the built-in file type. */
export type MediaAttribute = AttributeBase &
  Readonly<{
    type: 'media'
    multiple: boolean
    /** Allowed kinds of files; empty = any file. */
    allowedTypes: readonly MediaType[]
  }>

export type RelationAttribute = AttributeBase &
  Readonly<{
    type: 'relation'
    relation: RelationKind | MorphKind
    /** uid of the target type. */
    target: string
    /** Whether this side stores the references (docs/internals/storage.md, "Relations"). */
    owner: boolean
    /** Absent if the relation has only one side. */
    inverseSide?: string
    /** For the inverse side of a polymorphic relation: the uid by which stored references name this type. */
    referredAs?: string
    many: boolean
    /** Whether each target belongs to only one source, as in a two-sided oneToOne or oneToMany relation. */
    exclusive: boolean
    /**
     * `true` if the relation has no index of its own, and uses that of all references (docs/internals/storage.md,
     * "References").
     */
    listed?: true
  }>

/** A relation whose references are stored in this attribute. */
export type OwningAttribute = RelationAttribute | MorphAttribute

/**
 * The owning side of a polymorphic relation (`morphToOne`, `morphToMany`). Each reference names the content-type of its
 * target (docs/internals/storage.md, "Relations").
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

/** The inverse side of a relation is not stored: a query reads it. */
export function isStored(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.owner
}

/** Private attributes and passwords cannot be read, filtered, sorted or selected. */
export function isReadable(attribute: Attribute): boolean {
  return !attribute.private && attribute.type !== 'password'
}

/** Whether a name can mean different attributes, because values may belong to several components or content-types. */
export function isOfSeveral(
  attribute: Attribute,
): attribute is DynamicZoneAttribute | MorphAttribute {
  return attribute.type === 'dynamiczone' || attribute.type === 'morph'
}

/** Whether the attribute is a relation that stores its references itself. */
export function isOwning(attribute: Attribute): attribute is OwningAttribute {
  return attribute.type === 'morph' || (attribute.type === 'relation' && attribute.owner)
}

/** Forms show a `string` as a single-line input. */
const defaultMaxLength = 255

/** Returns the maximum length of a text; `Infinity` = no limit. */
export const maxLengthOf = ({ maxLength, type }: ScalarAttribute): number =>
  maxLength ?? (type === 'string' ? defaultMaxLength : Infinity)
