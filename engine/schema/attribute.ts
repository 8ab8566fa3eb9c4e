/**
 * Attributes of content-types and components, after their definitions have been checked. Types and options have the
 * same names as in Strapi, so that existing definitions work unchanged.
 */

import type { Condition } from './condition.js'
import type { MediaType } from './media-type.js'
import type { Pattern } from '../patterns/pattern.js'
import { scalarTypes, type ScalarType } from '../values/scalar-type.js'
import type { SlugOptions } from '../values/slug.js'

export type RelationKind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'

/** The kinds of inverse sides that a polymorphic relation can have. */
export type MorphKind = 'morphOne' | 'morphMany'

/** Members that every kind of attribute has. */
export type AttributeBase = Readonly<{
  /** The name in requests and responses. `checkAttributeName` checks it. */
  name: string
  /** The name of the field in stored documents (docs/internals/storage.md, "An entry version"). */
  storedAs: string
  required: boolean
  /** Private attributes can be written through `/api`, but never shown, filtered, sorted, searched or selected. */
  private: boolean
  /**
   * `false` if the attribute cannot be written. A request body that contains the attribute is then rejected, and
   * `required` has no effect.
   */
  writable?: false
  /**
   * The option `conditions.visible`. While the entry's other values do not meet the condition, `required` has no
   * effect.
   */
  visibleIf?: Condition
  /** Whether each locale has its own value. Always false if the content-type is not localized. */
  localized: boolean
}>

/** An attribute with a single value, which is stored unchanged in one field. */
export type ScalarAttribute = AttributeBase &
  Readonly<{
    type: ScalarType
    unique: boolean
    /** `false` if the search parameter `_q` ignores the attribute (docs/internals/decisions.md, "Search"). */
    searchable?: false
    /** Whether the attribute has an index `{locale, attr, _id}`. */
    index: boolean
    /** The value to store if a create request does not contain the attribute; default: none. */
    default?: unknown
    min?: number | string
    max?: number | string
    minLength?: number
    maxLength?: number
    /** Regular expression that values must match, without slashes. */
    regex?: string
    /** The compiled regular expression of `regex`. */
    pattern?: Pattern
    /** The allowed values of an enumeration; empty for other types. */
    enum: readonly string[]
    /** For a uid: the attribute that its value is generated from. */
    targetField?: string
    /** For a uid: how its value is generated from the attribute `targetField`. */
    slugOptions?: SlugOptions
    /**
     * For those attributes of the built-in file type that contain URLs: `link` is the URL of the file's content.
     * `versions` are the resized images with their URLs.
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

/** A media field: a relation to the built-in file type. It is stored as a reference, like any relation. */
export type MediaAttribute = AttributeBase &
  Readonly<{
    type: 'media'
    multiple: boolean
    /**
     * Kinds of files that are allowed: `images`, `videos`, `audios`, `files`. If the list is empty, any file is
     * allowed.
     */
    allowedTypes: readonly MediaType[]
  }>

export type RelationAttribute = AttributeBase &
  Readonly<{
    type: 'relation'
    relation: RelationKind | MorphKind
    /** uid of the content-type at the other side of the relation. */
    target: string
    /** Whether this side of the relation stores the references (docs/internals/storage.md, "Relations"). */
    owner: boolean
    /** Name of the attribute at the other side of the relation. Absent if the relation has only one side. */
    inverseSide?: string
    /** For the inverse side of a polymorphic relation: the uid by which stored references name this content-type. */
    referredAs?: string
    /** Whether the value of the relation is a list. */
    many: boolean
    /**
     * Whether each target belongs to only one source, as in a two-sided oneToOne or oneToMany relation. Connecting a
     * target then removes it from its previous source.
     */
    exclusive: boolean
    /**
     * `true` if no index contains the relation's own field. Entries are then found by an index of all their references
     * (docs/internals/storage.md, "References").
     */
    listed?: true
  }>

/** A relation whose references are stored in this attribute. It may have an inverse side. */
export type OwningAttribute = RelationAttribute | MorphAttribute

/**
 * The side of a polymorphic relation that stores the references (`morphToOne`, `morphToMany`). It can refer to entries
 * of any content-type, so each reference contains the type (docs/internals/storage.md, "Relations").
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
 * Whether the attribute is stored in a field of entries. All are, except for the inverse side of a relation, which is
 * read by a query.
 */
export function isStored(attribute: Attribute): boolean {
  return attribute.type !== 'relation' || attribute.owner
}

/** Whether the attribute may be shown, filtered, sorted or selected. Private attributes and passwords may not. */
export function isReadable(attribute: Attribute): boolean {
  return !attribute.private && attribute.type !== 'password'
}

/**
 * Whether values of the attribute may belong to several components or content-types. The same name can then mean a
 * different attribute in each of them.
 */
export function isOfSeveral(
  attribute: Attribute,
): attribute is DynamicZoneAttribute | MorphAttribute {
  return attribute.type === 'dynamiczone' || attribute.type === 'morph'
}

/** Whether the attribute is a relation and stores its references itself. */
export function isOwning(attribute: Attribute): attribute is OwningAttribute {
  return attribute.type === 'morph' || (attribute.type === 'relation' && attribute.owner)
}

/** Default maximum length of `string`. Forms show it as a single-line input. */
const defaultMaxLength = 255

/** Returns the maximum length of a text attribute; `Infinity` means no limit. */
export const maxLengthOf = ({ maxLength, type }: ScalarAttribute): number =>
  maxLength ?? (type === 'string' ? defaultMaxLength : Infinity)
