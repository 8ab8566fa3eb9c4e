import type { Attribute } from './attribute.js'

/** A definition as JSON, in the format of a Strapi project's `schema.json`. */
export type Definition = Readonly<Record<string, unknown>>

/** Members that both content-types and components have. */
export type Structure = Readonly<{
  /** uid, such as `api::article.article`, or `shared.seo` for a component. */
  uid: string
  displayName: string
  /**
   * Attributes in the order of the definition. Responses have the same order (docs/internals/decisions.md, "Order of members").
   * System attributes such as `createdAt` are not included.
   */
  attributes: ReadonlyMap<string, Attribute>
  /**
   * Names of stored fields whose attributes come from another version of the definitions and are not served
   * (`whole-types.ts`). Absent if there are none.
   */
  unmanagedFields?: ReadonlySet<string>
  /** The definition as it was written, for `_schemas` and the endpoints of the content-type builder. */
  definition: Definition
}>

export type Component = Structure & Readonly<{ category: string }>

export type ContentType = Structure &
  Readonly<{
    kind: 'collectionType' | 'singleType'
    /**
     * `api` types get generated endpoints. `plugin` types have entries but no endpoints. `built-in` types belong to the
     * service.
     */
    origin: 'api' | 'plugin' | 'built-in'
    singularName: string
    pluralName: string
    /**
     * Collection of the published versions, or of all versions if the type has no drafts. Drafts are stored in
     * `<collectionName>.draft`.
     */
    collectionName: string
    draftAndPublish: boolean
    localized: boolean
    /** Whether `createdBy` and `updatedBy` may be populated (docs/internals/decisions.md, "Who wrote an entry"). */
    populateCreatorFields: boolean
    /** Names of system attributes that are never shown (`options.privateAttributes`). If absent, all are shown. */
    hidden?: ReadonlySet<string>
    /** Additional compound indexes, as lists of attribute names (`options.indexes`). */
    indexes: readonly (readonly string[])[]
    /**
     * Whether versions contain an indexed list of all their references. It makes up for the missing indexes of media
     * fields and fields of components (docs/internals/storage.md, "References").
     */
    listed?: true
    /** Whether versions contain a list of the unique values in their components. Drafts never contain it. */
    listsUniques?: true
  }>

export type Status = 'draft' | 'published'

/**
 * Returns the collection that contains a type's versions with a given status. A type without drafts has only one
 * collection.
 */
export function collectionOf(type: ContentType, status: Status): string {
  return type.draftAndPublish && status === 'draft'
    ? `${type.collectionName}.draft`
    : type.collectionName
}

/**
 * Returns all collections that contain versions of a type. The first is authoritative: it decides which documents
 * exist.
 */
export function collectionsOf(type: ContentType): readonly string[] {
  return [...new Set([collectionOf(type, 'draft'), collectionOf(type, 'published')])]
}

/**
 * Returns the name in the path `/api/<apiName>`: the plural name of a collection type, or the singular name of a single
 * type.
 */
export function apiNameOf(type: ContentType): string {
  return type.kind === 'singleType' ? type.singularName : type.pluralName
}

/** Compares two content-types or components by uid, for sorting. */
export const byUid = (one: Pick<Structure, 'uid'>, other: Pick<Structure, 'uid'>): number =>
  one.uid < other.uid ? -1 : 1
