import type { Attribute } from './attribute.js'

/** A definition as in a Strapi project's `schema.json`. */
export type Definition = Readonly<Record<string, unknown>>

/** A content-type or component. */
export type Structure = Readonly<{
  /** Such as `api::article.article`, or `shared.seo` for a component. */
  uid: string
  displayName: string
  /** In the order of the definition (docs/internals/decisions.md, "Order of members"), without system attributes. */
  attributes: ReadonlyMap<string, Attribute>
  /** Stored fields that only another version of the definitions has. They are not served (`whole-types.ts`). */
  unmanagedFields?: ReadonlySet<string>
  /** The definition as it was written. */
  definition: Definition
}>

export type Component = Structure & Readonly<{ category: string }>

export type ContentType = Structure &
  Readonly<{
    kind: 'collectionType' | 'singleType'
    /** `api` types have generated endpoints; `plugin` types have none. `built-in` types belong to the service. */
    origin: 'api' | 'plugin' | 'built-in'
    singularName: string
    pluralName: string
    /**
     * Contains the published versions or, without draft & publish, all versions. Drafts are in
     * `<collectionName>.draft`.
     */
    collectionName: string
    draftAndPublish: boolean
    localized: boolean
    /** Whether `createdBy` and `updatedBy` may be populated (docs/internals/decisions.md, "Who wrote an entry"). */
    populateCreatorFields: boolean
    /** System attributes that are never shown (`options.privateAttributes`). */
    hidden?: ReadonlySet<string>
    /** Attribute names of additional compound indexes (`options.indexes`). */
    indexes: readonly (readonly string[])[]
    /**
     * Whether versions contain an indexed list of all their references, which replaces indexes on media fields and
     * fields of components (docs/internals/storage.md, "References").
     */
    listed?: true
    /** Whether published versions list the unique values in their components. Drafts never do. */
    listsUniques?: true
  }>

export type Status = 'draft' | 'published'

/** Returns the collection of a type's versions with a given status. */
export function collectionOf(type: ContentType, status: Status): string {
  return type.draftAndPublish && status === 'draft'
    ? `${type.collectionName}.draft`
    : type.collectionName
}

/** Returns all collections of a type. The first decides which documents exist. */
export function collectionsOf(type: ContentType): readonly string[] {
  return [...new Set([collectionOf(type, 'draft'), collectionOf(type, 'published')])]
}

/** Returns the last part of the path `/api/<apiName>`. */
export function apiNameOf(type: ContentType): string {
  return type.kind === 'singleType' ? type.singularName : type.pluralName
}

/** Compares types by uid, for sorting. */
export const byUid = (one: Pick<Structure, 'uid'>, other: Pick<Structure, 'uid'>): number =>
  one.uid < other.uid ? -1 : 1
