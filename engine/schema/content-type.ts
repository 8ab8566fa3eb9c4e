import type { Attribute } from './attribute.js'

/** A definition as JSON, in the format of a Strapi project's `schema.json`. */
export type Definition = Readonly<Record<string, unknown>>

/** Common members of content-types and components. */
export type Structure = Readonly<{
  /** `api::article.article`, or `shared.seo` for a component. */
  uid: string
  displayName: string
  /**
   * Attributes in the order of the definition, which is the order in responses (docs/decisions.md, "Order of members").
   * System attributes are not included.
   */
  attributes: ReadonlyMap<string, Attribute>
  /**
   * Stored names of attributes that come from other definitions and are not served (`whole-types.ts`). Absent: none.
   */
  unmanagedFields?: ReadonlySet<string>
  /** The definition as given, for `_schemas` and the builder's endpoints. */
  definition: Definition
}>

export type Component = Structure & Readonly<{ category: string }>

export type ContentType = Structure &
  Readonly<{
    kind: 'collectionType' | 'singleType'
    /**
     * `api` types have generated endpoints. Types of plugins have entries but no endpoints. Built-in types belong to
     * the service.
     */
    origin: 'api' | 'plugin' | 'built-in'
    singularName: string
    pluralName: string
    /**
     * The collection of published versions, or of all versions if the type has no drafts. Drafts are in
     * `<collectionName>.draft`.
     */
    collectionName: string
    draftAndPublish: boolean
    localized: boolean
    /** Whether `createdBy` and `updatedBy` may be populated (docs/decisions.md, "Who wrote an entry"). */
    populateCreatorFields: boolean
    /** Names of system attributes that are never shown (`options.privateAttributes`). Absent: all are shown. */
    hidden?: ReadonlySet<string>
    /** `options.indexes`: extra compound indexes by attribute name. */
    indexes: readonly (readonly string[])[]
    /**
     * Whether versions list their references in an indexed field, because fields of media and of components have no
     * index (docs/storage.md, "References").
     */
    listed?: true
    /** Whether versions, except drafts, list the unique values of their components. */
    listsUniques?: true
  }>

export type Status = 'draft' | 'published'

/** Returns the collection of a type's versions with a status. Types without draft & publish have only one. */
export function collectionOf(type: ContentType, status: Status): string {
  return type.draftAndPublish && status === 'draft'
    ? `${type.collectionName}.draft`
    : type.collectionName
}

/** Returns all collections with versions of a type, the authoritative one first. */
export function collectionsOf(type: ContentType): readonly string[] {
  return [...new Set([collectionOf(type, 'draft'), collectionOf(type, 'published')])]
}

/** `/api/<apiName>`: the plural name of a collection type, the singular name of a single type. */
export function apiNameOf(type: ContentType): string {
  return type.kind === 'singleType' ? type.singularName : type.pluralName
}

/** Sorts by uid. */
export const byUid = (one: Pick<Structure, 'uid'>, other: Pick<Structure, 'uid'>): number =>
  one.uid < other.uid ? -1 : 1
